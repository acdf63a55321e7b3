import { countsLine } from "./lib/counts.mjs";
import { startExternalPostgres } from "./lib/external-postgres.mjs";
import { ensureNode } from "./lib/node.mjs";
import { ensurePackages } from "./lib/packages.mjs";
import { ensurePages } from "./lib/pages.mjs";
import { runScript, say } from "./lib/place.mjs";
import { testsBesideSql } from "./lib/sql-tests.mjs";
import { runVitest } from "./lib/suites.mjs";

/**
 * `npm run test:external-postgres`: the API tests that have SQL beside them, or those named, against a PostgreSQL of the
 * machine's own packages.
 */
await runScript(async () => {
  const [node] = await Promise.all([ensureNode(), ensurePackages()]);
  await ensurePages(node);
  const named = process.argv.slice(2);
  const server = await startExternalPostgres();
  say(`Testing against PostgreSQL ${server.version} …`);
  try {
    const counts = await runVitest(node, {
      name: "external-postgres",
      projects: ["api"],
      args: named.length > 0 ? named : testsBesideSql(),
      extra: { DATABASE_URL: server.url },
    });
    for (const failure of counts.failures) say(`  failed: ${failure}`);
    process.stdout.write(`\n${countsLine(counts)}\n`);
    return counts.failed > 0 ? 1 : 0;
  } finally {
    await server.stop();
  }
});
