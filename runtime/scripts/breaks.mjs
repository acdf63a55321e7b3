import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { repositoryFiles } from "./check/files.mjs";
import { applyBreak, checkBroken, checkUnbroken, PROJECTS, readBreaks, selectTests } from "./lib/breaks.mjs";
import { countsLine } from "./lib/counts.mjs";
import { childCpuSeconds } from "./lib/cpu.mjs";
import { breakGuard, readCases, REFUSALS } from "./lib/guards.mjs";
import { ensureNode, environmentFor } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { inRoot, Refusal, runScript, say } from "./lib/place.mjs";
import { createMemoryTmpdir } from "./lib/temporary.mjs";

/** A broken product can make its test wait for ever. */
const BROKEN_MS = 90_000;
const UNBROKEN_MS = 900_000;
/** Outcomes as they are printed, all as wide as the widest. */
const LABELS = { fell: "fell     ", survived: "SURVIVED ", invalid: "INVALID  " };

/**
 * `npm run breaks [NAME-PART] [-- --verify]`: applies each break of `test/breaks.json`, or those with that text in their
 * names, to a copy of the checkout and runs the test that must fail. By name only ("guard", or a file's path), it also takes
 * away guards of `test/refusals.json`. A break whose test passes, or proves nothing, exits with 1. `--verify` first runs all
 * these tests without a break.
 */
await runScript(async () => {
  const args = process.argv.slice(2);
  const part = args.filter((arg) => !arg.startsWith("--")).join(" ");
  const unknown = args.find((arg) => arg.startsWith("--") && arg !== "--verify");
  if (unknown) throw new Refusal(`There is no option ${unknown}: npm run breaks [NAME-PART] [-- --verify]`);
  const all = [
    ...readBreaks(readFileSync(inRoot("test/breaks.json"), "utf8")),
    ...(part === "" ? [] : listGuards()),
  ];
  const breaks = all.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
  if (breaks.length === 0) throw new Refusal(`No break has "${part}" in its name.`);
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  const started = childCpuSeconds();
  const memory = createMemoryTmpdir();
  const copy = mkdtempSync(join(memory.TMPDIR ?? tmpdir(), "dockside-breaks-"));
  // So that the test in progress ends too, and nothing stays in the temporary folder.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
  process.once("exit", () => rmSync(copy, { recursive: true, force: true, maxRetries: 5 }));
  copyCheckout(copy);
  const needsDatabase = breaks.some(({ suite }) => suite === "api");
  const server = needsDatabase ? await startDatabases(node, copy, memory) : null;
  const shared = server ? { DATABASE_URL: server.url } : {};
  const place = { node, copy, memory, env: { ...memory, ...shared } };
  try {
    const wrong = args.includes("--verify") ? await verify(place, breaks) : 0;
    const survived = await applyAll(place, breaks);
    await server?.stop();
    const now = childCpuSeconds();
    if (started !== null && now !== null) say(`\nThe run took ${Math.round(now - started)} CPU seconds.`);
    const counts = { passed: breaks.length - survived, failed: survived, skipped: 0 };
    process.stdout.write(`\n${countsLine(counts)}\n`);
    return survived + wrong > 0 ? 1 : 0;
  } finally {
    await server?.stop();
  }
});

function listGuards() {
  return readCases(readFileSync(inRoot(REFUSALS), "utf8"))
    .filter(({ reason }) => reason === undefined)
    .map((guardCase) => breakGuard(guardCase, readFileSync(inRoot(guardCase.file), "utf8")));
}

/** Runs the tests of all breaks, with the sources as they are. @returns {Promise<number>} how many prove nothing */
async function verify(place, breaks) {
  let wrong = 0;
  for (const suite of Object.keys(PROJECTS)) {
    const ours = breaks.filter((each) => each.suite === suite);
    if (ours.length === 0) continue;
    say(`Running the ${suite} tests of ${ours.length} breaks without a break …`);
    const { report } = await runTests(place, selectTests(ours), UNBROKEN_MS);
    for (const entry of ours) {
      const reason = checkUnbroken(report, entry);
      if (!reason) continue;
      wrong += 1;
      process.stdout.write(`wrong    ${entry.name}: ${reason}\n`);
    }
  }
  return wrong;
}

/** @returns {Promise<number>} how many breaks did not fall */
async function applyAll(place, breaks) {
  let survived = 0;
  for (const entry of breaks) {
    const before = childCpuSeconds();
    const { kind, note, slow } = await runBroken(place, entry);
    const seconds = ((childCpuSeconds() ?? 0) - (before ?? 0)).toFixed(1);
    if (kind !== "fell") survived += 1;
    process.stdout.write(
      `${slow ? "fell slow" : LABELS[kind]} ${seconds.padStart(5)} CPU s  ${entry.name}\n`,
    );
    if (kind !== "fell") process.stdout.write(`                   ${note}\n`);
  }
  return survived;
}

/** @returns {Promise<import("./lib/breaks.mjs").Outcome>} */
async function runBroken(place, entry) {
  const restore = applyBreak(place.copy, entry);
  if (typeof restore === "string") return { kind: "invalid", note: restore };
  try {
    // The server of the others was made by the unbroken migrations.
    const own = entry.file.startsWith("db/") ? { ...place, env: place.memory } : place;
    const { report, ended } = await runTests(own, ["--bail=1", ...selectTests([entry])], BROKEN_MS);
    return ended ? { kind: "fell", note: "the test did not end", slow: true } : checkBroken(report, entry);
  } finally {
    restore();
  }
}

/**
 * Runs Vitest in the copy, with one worker.
 * @returns {Promise<{ report: object | null, ended: boolean }>} ended: it took too long
 */
async function runTests({ node, copy, env }, args, withinMs) {
  const file = join(copy, ".cache/breaks.json");
  rmSync(file, { force: true });
  const child = spawn(
    node,
    [
      join(copy, "node_modules/vitest/vitest.mjs"),
      "run",
      "--maxWorkers=1",
      "--reporter=json",
      `--outputFile.json=${file}`,
      ...args,
    ],
    // In a group of its own, so that its workers end with it.
    { cwd: copy, env: environmentFor(node, env), stdio: "ignore", detached: true },
  );
  const kill = () => process.kill(-(child.pid ?? 0), "SIGKILL");
  process.once("exit", kill);
  let ended = false;
  const timer = setTimeout(() => {
    ended = true;
    kill();
  }, withinMs);
  await once(child, "close");
  clearTimeout(timer);
  process.off("exit", kill);
  return { report: existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null, ended };
}

/** Copies the repository's files; the packages are linked. */
function copyCheckout(copy) {
  for (const file of repositoryFiles()) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(inRoot(file), join(copy, file), { verbatimSymlinks: true });
  }
  // One by one, so that Vite's own files in node_modules are the copy's.
  mkdirSync(join(copy, "node_modules"));
  for (const name of readdirSync(inRoot("node_modules")).filter((entry) => !entry.startsWith(".vite")))
    symlinkSync(inRoot("node_modules", name), join(copy, "node_modules", name));
  mkdirSync(join(copy, ".cache"));
}

/** Starts one PostgreSQL for all API tests: starting one takes longer than most of them. */
async function startDatabases(node, copy, memory) {
  const child = spawn(node, [join(copy, "test/support/keep-databases.ts")], {
    cwd: copy,
    env: environmentFor(node, memory),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const { value: url } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  if (!url) throw new Refusal("The PostgreSQL of the tests did not start.");
  const stop = async () => {
    child.stdin.end();
    await closed;
  };
  return { url, stop };
}
