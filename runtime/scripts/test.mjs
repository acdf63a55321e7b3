import { findBrowser } from "./lib/browser.mjs";
import { countsLine, sum } from "./lib/counts.mjs";
import { ensureNode } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { ensureGallery, ensurePages } from "./lib/pages.mjs";
import { Refusal, runScript, say } from "./lib/place.mjs";
import { runPlaywright, runVitest } from "./lib/suites.mjs";

const SUITES = {
  unit: (node, args) => runVitest(node, { name: "unit", projects: ["unit", "pages"], args }),
  api: (node, args) => runVitest(node, { name: "api", projects: ["api"], args }),
  e2e: async (node, args) => {
    const extra = await findBrowser(node);
    await ensureGallery(node);
    return runPlaywright(node, { name: "e2e", args, extra });
  },
};

/** `npm test`: all suites, or one with arguments for its runner: `npm test -- api src/features/invoices`. */
await runScript(async () => {
  const [chosen, ...args] = process.argv.slice(2);
  if (chosen && !SUITES[chosen])
    throw new Refusal(
      `There is no suite ${chosen}: name ${Object.keys(SUITES).join(", ")}, or none for all.`,
    );
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  const built = await runSuite(() => ensurePages(node).then(() => null));
  const results = built ? [["pages", built]] : [];
  for (const [name, suite] of Object.entries(SUITES)) {
    if (!chosen || chosen === name) results.push([name, await runSuite(() => suite(node, args))]);
  }
  for (const [name, counts] of results) {
    say(`\n${name}: ${countsLine(counts)}`);
    for (const failure of counts.failures) say(`  failed: ${failure}`);
  }
  const total = sum(results.map(([, counts]) => counts));
  process.stdout.write(`\n${countsLine(total)}\n`);
  return total.failed > 0 ? 1 : 0;
});

/** A suite that could not even start is one failure, and the others still run. */
async function runSuite(suite) {
  try {
    return await suite();
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, failures: [String(error.message)] };
  }
}
