import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { environmentFor, ensureNode } from "./lib/node.mjs";
import { npmProgram } from "./lib/npm.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { ensurePages } from "./lib/pages.mjs";
import { inRoot, Refusal, runScript, say, serverFlags } from "./lib/place.mjs";
import { run } from "./lib/run.mjs";
import { traceImports, tracePackages } from "./lib/trace.mjs";

/** Programs of a release: the product, the operators' commands, and the simulators of a demo. */
const PROGRAMS = [
  "src/main/start.ts",
  "src/main/operate.ts",
  "src/platform/threads/thread-entry.ts",
  "simulators/main.ts",
];
/** Files that the programs or operators read. */
const OTHER_FILES = [
  "dist/web",
  "db/migrations",
  "simulators/stripe/assets",
  // By name: an operator's secrets may be beside them.
  "deploy/Caddyfile",
  "deploy/Containerfile",
  "deploy/compose.yaml",
  "deploy/dockside-operate",
  "deploy/dockside.service",
  "docs/decisions",
  "docs/integrations",
  "docs/operations.md",
  "docs/reference.md",
  "docs/openapi.json",
  ".env.example",
  "LICENSE",
  "SECURITY.md",
  "CHANGELOG.md",
];
/** Files of packages that aren't needed at run time. */
const UNUSED =
  /\.(map|md|markdown|d\.[cm]?ts|[cm]?tsx?)$|\/(test|tests|docs|benchmark|benchmarks|examples?|\.github)\//;

/**
 * `npm run build [FOLDER]`: makes a release, by default in `dist/release`: only the files and packages that the server uses.
 * It needs only Node, runs from a read-only folder, and uses the operator's PostgreSQL.
 */
await runScript(async () => {
  const folder = resolve(process.argv[2] ?? inRoot("dist/release"));
  if (existsSync(folder) && !existsSync(join(folder, "sbom.json")))
    throw new Refusal(`${folder} exists and isn't a release: remove it, or name another folder.`);
  const [node] = await Promise.all([ensureNode(), ensurePackages({ production: true })]);
  await ensurePages(node);
  rmSync(folder, { recursive: true, force: true });
  const { files, packages } = traceImports(PROGRAMS);
  for (const path of [...files, ...OTHER_FILES]) copy(path, folder);
  const folders = tracePackages(packages);
  for (const path of folders) copyPackage(path, folder);
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(describe(packages), null, 2)}\n`);
  writeFileSync(join(folder, "sbom.json"), await createSbom(node, folder));
  await audit(node);
  say(`The release is in ${folder}: ${files.length} of our own files, ${folders.length} packages.`);
  return 0;
});

function copy(path, folder) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  cpSync(inRoot(path), join(folder, path), { recursive: true });
}

function copyPackage(path, folder) {
  cpSync(inRoot(path), join(folder, path), {
    recursive: true,
    filter: (from) => {
      const inside = from.slice(inRoot(path).length);
      // A nested package is copied only if it is used.
      if (inside.startsWith("/node_modules")) return false;
      return statSync(from).isDirectory() ? !UNUSED.test(`${inside}/`) : !UNUSED.test(inside);
    },
  });
}

function describe(packages) {
  const {
    name,
    version,
    private: isPrivate,
    license,
    type,
    imports,
    dependencies,
  } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  const own = Object.fromEntries(packages.map((each) => [each, dependencies[each]]));
  const lacking = packages.filter((each) => own[each] === undefined);
  if (lacking.length > 0)
    throw new Refusal(
      `The server uses ${lacking.join(", ")}, which package.json doesn't list as a dependency.`,
    );
  const flags = serverFlags().join(" ");
  return {
    name,
    version,
    private: isPrivate,
    license,
    type,
    engines: { node: ">=24" },
    imports,
    scripts: { start: `node ${flags} src/main/start.ts`, operate: "node src/main/operate.ts" },
    dependencies: own,
  };
}

/** Lists the release's packages in CycloneDX's format. */
async function createSbom(node, folder) {
  const npm = npmProgram();
  const { code, output } = await run(
    npm.file,
    [...npm.args, "sbom", "--sbom-format=cyclonedx", "--loglevel=error"],
    { cwd: folder, quiet: true, env: environmentFor(node) },
  );
  if (code !== 0) throw new Refusal(`npm could not list the packages:\n${output.trim()}`);
  return output;
}

/**
 * Fails on high or critical vulnerabilities. If npm's registry doesn't answer, prints that the check was
 * skipped.
 */
async function audit(node) {
  const npm = npmProgram();
  const { output } = await run(
    npm.file,
    [...npm.args, "audit", "--omit=dev", "--json", "--fetch-retries=0", "--loglevel=silent"],
    {
      quiet: true,
      env: environmentFor(node),
    },
  );
  const counts = readCounts(output);
  if (!counts) return say("Vulnerabilities were not checked: npm's registry did not answer.");
  if (counts.high + counts.critical > 0)
    throw new Refusal(
      `${counts.high + counts.critical} packages have serious vulnerabilities: see npm audit --omit=dev.`,
    );
}

function readCounts(output) {
  try {
    return JSON.parse(output).metadata?.vulnerabilities ?? null;
  } catch {
    return null;
  }
}
