import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environmentFor } from "./node.mjs";
import { inRoot, Refusal, say } from "./place.mjs";
import { run } from "./run.mjs";

/** All sources of the pages. */
const SOURCES = [
  "tsconfig.json",
  "package-lock.json",
  "src/contract",
  "src/web",
  "src/features",
  "src/formats",
];

/** Builds the pages into `dist/web`. */
export const ensurePages = (node) =>
  ensureBuilt(node, {
    what: "the pages",
    name: "web",
    config: "vite.config.ts",
    sources: [...SOURCES, "index.html"],
  });

/** Builds the gallery into `dist/gallery`; only tests use it there. */
export const ensureGallery = (node) =>
  ensureBuilt(node, {
    what: "the gallery",
    name: "gallery",
    config: "gallery/vite.config.ts",
    sources: [...SOURCES, "gallery"],
  });

/** Builds into `dist/NAME` unless it was already built from the same sources. */
async function ensureBuilt(node, { what, name, config, sources }) {
  const mark = inRoot(`dist/${name}-sources.sha256`);
  const hash = hashSources([config, ...sources]);
  if (existsSync(inRoot("dist", name, "index.html")) && readIfThere(mark) === hash) return;
  say(`Building ${what} …`);
  const vite = inRoot("node_modules/vite/bin/vite.js");
  const { code, output } = await run(
    node,
    [vite, "build", "--config", inRoot(config), "--logLevel", "warn"],
    {
      env: environmentFor(node),
      quiet: true,
    },
  );
  if (code !== 0) throw new Refusal(`Building ${what} failed:\n${output.trim()}`);
  mkdirSync(inRoot("dist"), { recursive: true });
  writeFileSync(mark, hash);
}

function hashSources(sources) {
  const hash = createHash("sha256");
  for (const file of sources.flatMap((source) => listFiles(source)).filter(reachesBrowser)) {
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(inRoot(file)))
      .update("\0");
  }
  return hash.digest("hex");
}

/** Whether a file can reach the browser: of a feature, the pages and the contract; never tests. */
function reachesBrowser(file) {
  if (/\.test\.tsx?$/.test(file)) return false;
  return !file.startsWith("src/features/") || /\/web\/|\/contract\.ts$|\/rules[^/]*\.ts$/.test(file);
}

function listFiles(path) {
  if (!existsSync(inRoot(path))) return [];
  if (statSync(inRoot(path)).isFile()) return [path];
  return readdirSync(inRoot(path))
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}

const readIfThere = (file) => (existsSync(file) ? readFileSync(file, "utf8") : null);
