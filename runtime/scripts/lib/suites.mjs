import { mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { readPlaywrightReport, readVitestReport } from "./counts.mjs";
import { environmentFor } from "./node.mjs";
import { inRoot } from "./place.mjs";
import { run } from "./run.mjs";
import { temporaryInMemory } from "./temporary.mjs";

/** Suites that run beside each other look for free ports in places of their own: each has ten workers at most. */
const PORT_RANGES = { unit: "0", api: "0", e2e: "10", external: "20" };

/**
 * Runs projects of the Vitest configuration.
 * @param options.shown whether its output is shown at once, not at its end
 * @returns {Promise<import("./counts.mjs").Counts>}
 */
export async function runVitest(node, { name, projects, args, shown, extra = {} }) {
  const report = freshReport(name);
  const { code, output } = await run(
    node,
    [
      inRoot("node_modules/vitest/vitest.mjs"),
      "run",
      ...projects.flatMap((project) => ["--project", project]),
      `--maxWorkers=${workersFor(projects)}`,
      "--reporter=dot",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...args,
    ],
    {
      env: environmentFor(node, { ...temporaryInMemory(), TEST_PORT_RANGE: PORT_RANGES[name], ...extra }),
      quiet: !shown,
    },
  );
  process.stdout.write(output);
  return readVitestReport(report, code);
}

/** Tests against servers mostly wait for one another's answers, and those of pages for a moment: there are more workers than processors. */
function workersFor(projects) {
  const processors = Math.min(4, availableParallelism());
  return projects.includes("api") ? Math.min(10, 3 * processors) : processors + 1;
}

/** Runs the browser tests. */
export async function runPlaywright(node, { name, args, shown, extra }) {
  const report = freshReport(name);
  const env = environmentFor(node, {
    ...temporaryInMemory(),
    ...extra,
    TEST_PORT_RANGE: PORT_RANGES[name],
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
  });
  const { code, output } = await run(
    node,
    [inRoot("node_modules/@playwright/test/cli.js"), "test", "--reporter=line,json", ...args],
    { env, quiet: !shown },
  );
  process.stdout.write(output);
  return readPlaywrightReport(report, code);
}

function freshReport(name) {
  mkdirSync(inRoot(".cache/test"), { recursive: true });
  const file = inRoot(".cache/test", `${name}.json`);
  rmSync(file, { force: true });
  return file;
}
