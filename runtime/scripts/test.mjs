import { childCpuSeconds } from "./lib/cpu.mjs";
import { countsLine, crashed, sum } from "./lib/counts.mjs";
import { ensureNode } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { ensurePages } from "./lib/pages.mjs";
import { Refusal, runScript, say } from "./lib/place.mjs";
import { GROUPS, SUITES } from "./lib/suites.mjs";

/**
 * `npm test`: runs the tests that prove every promise once. `npm test -- full`: all tests, those in
 * `*.full.test.ts` too. `npm test -- SUITE ARGUMENTS`: one suite, with its runner's arguments.
 */
await runScript(async () => {
  const [chosen = "short", ...args] = process.argv.slice(2);
  if (!GROUPS[chosen] && !SUITES[chosen])
    throw new Refusal(
      `There is no suite ${chosen}: name ${["full", ...Object.keys(SUITES)].join(", ")}, or none for the short ones.`,
    );
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  const started = childCpuSeconds();
  const built = await runSuite(() => ensurePages(node).then(() => null));
  const results = built ? [["pages", built]] : [];
  for (const name of GROUPS[chosen] ?? [chosen]) {
    if (GROUPS[chosen]) say(`Running the suite ${name} …`);
    const before = childCpuSeconds();
    const counts = await runSuite(() =>
      SUITES[name](node, { args, full: chosen === "full", shown: !GROUPS[chosen] }),
    );
    results.push([name, counts, cpuSince(before)]);
  }
  for (const [name, counts, cpu] of results) {
    say(`\n${name}: ${countsLine(counts)}${cpu ?? ""}`);
    for (const reason of counts.failures) say(`  failed: ${reason}`);
  }
  say(`\nThe run${cpuSince(started)}`);
  const total = sum(results.map(([, counts]) => counts));
  process.stdout.write(`\n${countsLine(total)}\n`);
  return total.failed > 0 ? 1 : 0;
});

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
