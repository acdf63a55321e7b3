import { findBrowser } from "./lib/browser.mjs";
import { countsLine, sum } from "./lib/counts.mjs";
import { startExternalPostgres } from "./lib/external-postgres.mjs";
import { ensureNode } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { ensureGallery, ensurePages } from "./lib/pages.mjs";
import { Refusal, runScript, say } from "./lib/place.mjs";
import { testsBesideSql } from "./lib/sql-tests.mjs";
import { runPlaywright, runVitest } from "./lib/suites.mjs";

/** `shown`: what its runner prints is shown at once, not at its end. */
const SUITES = {
  unit: (node, options) =>
    runVitest(node, { ...options, name: "unit", projects: ["unit", "pages", "own-pages"] }),
  api: (node, options) => runVitest(node, { ...options, name: "api", projects: ["api"] }),
  e2e: async (node, options) => {
    const extra = await findBrowser(node);
    await ensureGallery(node);
    return runPlaywright(node, { ...options, name: "e2e", extra });
  },
  external: testExternalPostgres,
};

/** Suites of a lane run one after the other, lanes beside each other. One lane: on two cores two made bounds of time fail. */
const LANES = [["unit", "api", "e2e"]];
const LANES_OF_ALL = [["unit", "api", "e2e", "external"]];

/**
 * `npm test`: all suites that need nothing, or one with arguments for its runner: `npm test -- api src/features/invoices`.
 * `npm test -- all` runs the suite against a PostgreSQL of the machine too.
 */
await runScript(async () => {
  const [chosen, ...args] = process.argv.slice(2);
  if (chosen && chosen !== "all" && !SUITES[chosen])
    throw new Refusal(
      `There is no suite ${chosen}: name ${Object.keys(SUITES).join(", ")}, all, or none for all but the last.`,
    );
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  const built = await runSuite(() => ensurePages(node).then(() => null));
  const results = built ? [["pages", built]] : [];
  const shown = chosen !== undefined && chosen !== "all";
  const lanes = shown ? [[chosen]] : chosen ? LANES_OF_ALL : LANES;
  const runLane = async (names) => {
    for (const name of names) {
      if (!shown) say(`Running the suite ${name} …`);
      results.push([name, await runSuite(() => SUITES[name](node, { args, shown }))]);
    }
  };
  await Promise.all(lanes.map(runLane));
  for (const [name, counts] of results) {
    say(`\n${name}: ${countsLine(counts)}`);
    for (const failure of counts.failures) say(`  failed: ${failure}`);
  }
  const total = sum(results.map(([, counts]) => counts));
  process.stdout.write(`\n${countsLine(total)}\n`);
  return total.failed > 0 ? 1 : 0;
});

/** The API tests that have SQL beside them, or those named, against a PostgreSQL of the machine's own packages. */
async function testExternalPostgres(node, { args, shown }) {
  const server = await startExternalPostgres();
  say(`Testing against PostgreSQL ${server.version} …`);
  try {
    return await runVitest(node, {
      name: "external",
      projects: ["api"],
      args: args.length > 0 ? args : testsBesideSql(),
      shown,
      extra: { DATABASE_URL: server.url },
    });
  } finally {
    await server.stop();
  }
}

/** A suite that could not even start is one failure, and the others still run. */
async function runSuite(suite) {
  try {
    return await suite();
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, failures: [String(error.message)] };
  }
}
