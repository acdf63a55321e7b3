import { repositoryFiles } from "./check/files.mjs";
import { findBase, listChanged } from "./lib/base.mjs";
import { selectTests } from "./lib/changed.mjs";
import { childCpuSeconds } from "./lib/cpu.mjs";
import { countsLine, crashed, sum } from "./lib/counts.mjs";
import { LEDGER, measureFiles, writeLedger } from "./lib/ledger.mjs";
import { ensureNode } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { ensurePages } from "./lib/pages.mjs";
import { Refusal, runScript, say } from "./lib/place.mjs";
import { GROUPS, SUITES } from "./lib/suites.mjs";

/**
 * `npm test`: runs the tests that prove every promise once. `npm test -- full`: all tests, those in
 * `*.full.test.ts` too. `npm test -- SUITE ARGUMENTS`: one suite, with its runner's arguments.
 * `npm test -- changed [COMMIT]`: the files whose imports reach what changed since. `npm test -- ledger [FILES]`:
 * writes what all files, or the named ones, take into `test/ledger.json`.
 */
await runScript(async () => {
  const [chosen = "short", ...args] = process.argv.slice(2);
  const plan = planSuites(chosen, args);
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  const started = childCpuSeconds();
  const built = await runSuite(() => ensurePages(node).then(() => null));
  const results = built ? [["pages", built]] : [];
  if (chosen === "ledger") measureFiles();
  for (const [name, options] of plan) {
    if (!options.shown) say(`Running the suite ${name} …`);
    const before = childCpuSeconds();
    const counts = await runSuite(() => SUITES[name](node, options));
    results.push([name, counts, cpuSince(before)]);
  }
  for (const [name, counts, cpu] of results) {
    say(`\n${name}: ${countsLine(counts)}${cpu ?? ""}`);
    for (const reason of counts.failures) say(`  failed: ${reason}`);
  }
  say(`\nThe run${cpuSince(started)}`);
  const total = sum(results.map(([, counts]) => counts));
  if (chosen === "ledger" && total.failed === 0)
    say(`${LEDGER}: ${Math.round(writeLedger(args.length === 0))} CPU seconds`);
  process.stdout.write(`\n${countsLine(total)}\n`);
  return total.failed > 0 ? 1 : 0;
});

/** Lists the suites to run, each with its options. */
function planSuites(chosen, args) {
  const group = GROUPS[chosen] ?? (chosen === "ledger" && args.length === 0 ? GROUPS.short : null);
  if (group) return group.map((name) => [name, { full: chosen === "full" }]);
  if (chosen === "ledger") return planFiles(args);
  if (chosen === "changed") return planFiles(findConcerned(args[0] ?? findBase()));
  if (SUITES[chosen]) return [[chosen, { args, shown: true }]];
  const names = ["full", "changed", "ledger", ...Object.keys(SUITES)];
  throw new Refusal(`There is no suite ${chosen}: name ${names.join(", ")}, or none for the short ones.`);
}

/** Gives each file to its runner. */
function planFiles(files) {
  const inBrowser = files.filter((file) => file.startsWith("test/e2e/"));
  const others = files.filter((file) => !inBrowser.includes(file));
  return [
    ["vitest", others],
    ["e2e", inBrowser],
  ]
    .filter(([, args]) => args.length > 0)
    .map(([name, args]) => [name, { args, shown: true }]);
}

/** Finds the tests that the changes since a commit concern. */
function findConcerned(base) {
  const changed = base && listChanged(base);
  if (!changed) throw new Refusal("There is no such commit to compare with.");
  const tests = selectTests(repositoryFiles(), changed);
  const unseen = changed.filter((file) => !/\.(tsx?|mjs|md)$/.test(file));
  say(
    `${changed.length} files changed, which ${tests.length} test files import. Browser tests are left out.`,
  );
  if (unseen.length > 0) say(`Imports don't show what these concern: ${unseen.join(", ")}`);
  return tests;
}

/**
 * Formats the processor time of processes that ended since a measurement; "" if the system does not report
 * it.
 */
function cpuSince(before) {
  const now = childCpuSeconds();
  return before === null || now === null ? "" : `, ${Math.round(now - before)} CPU seconds`;
}

/** A suite that could not even start is one failure, and the others still run. */
async function runSuite(suite) {
  try {
    return await suite();
  } catch (error) {
    return crashed(String(error.message));
  }
}
