import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environmentFor } from "./node.mjs";
import { inRoot, Refusal, say } from "./place.mjs";
import { run } from "./run.mjs";

const BUILT = "dist/web";
const MARK = "dist/web-sources.sha256";

/** All the pages are made from. */
const SOURCES = [
  "index.html",
  "vite.config.ts",
  "tsconfig.json",
  "package-lock.json",
  "src/contract",
  "src/web",
  "src/features",
  "src/formats",
];

/** Builds the pages into `dist/web` unless the built ones were made from the same sources. */
export async function ensurePages(node) {
  const hash = hashOfSources();
  if (existsSync(inRoot(BUILT, "index.html")) && readIfThere(inRoot(MARK)) === hash) return;
  say("Building the pages …");
  const vite = inRoot("node_modules/vite/bin/vite.js");
  const { code, output } = await run(node, [vite, "build", "--logLevel", "warn"], {
    env: environmentFor(node),
    quiet: true,
  });
  if (code !== 0) throw new Refusal(`The pages could not be built:\n${output.trim()}`);
  mkdirSync(inRoot("dist"), { recursive: true });
  writeFileSync(inRoot(MARK), hash);
}

function hashOfSources() {
  const hash = createHash("sha256");
  for (const file of SOURCES.flatMap((source) => filesOf(source)).filter(reachesBrowser)) {
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(inRoot(file)))
      .update("\0");
  }
  return hash.digest("hex");
}

/** Of a feature, the pages and the contract; of everything, no tests. */
function reachesBrowser(file) {
  if (/\.test\.tsx?$/.test(file)) return false;
  return !file.startsWith("src/features/") || /\/web\/|\/contract\.ts$|\/rules[^/]*\.ts$/.test(file);
}

function filesOf(path) {
  if (!existsSync(inRoot(path))) return [];
  if (statSync(inRoot(path)).isFile()) return [path];
  return readdirSync(inRoot(path))
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, "utf8") : null);
