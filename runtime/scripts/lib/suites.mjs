import { mkdirSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { readPlaywrightReport, readVitestReport } from "./counts.mjs";
import { environmentFor } from "./node.mjs";
import { inRoot } from "./place.mjs";
import { run } from "./run.mjs";

/** Runs projects of the Vitest configuration. @returns {Promise<import("./counts.mjs").Counts>} */
export async function runVitest(node, { name, projects, args, extra = {} }) {
  const report = freshReport(name);
  const { code } = await run(
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
    { env: environmentFor(node, extra) },
  );
  return readVitestReport(report, code);
}

/** Tests against servers mostly wait for one another's answers, so there are more of them than processors. */
function workersFor(projects) {
  const processors = Math.min(4, availableParallelism());
  return projects.includes("api") ? 2 * processors : processors;
}

/** Runs the browser tests. */
export async function runPlaywright(node, { name, args, extra }) {
  const report = freshReport(name);
  const env = environmentFor(node, {
    ...extra,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
  });
  const { code } = await run(
    node,
    [inRoot("node_modules/@playwright/test/cli.js"), "test", "--reporter=line,json", ...args],
    { env },
  );
  return readPlaywrightReport(report, code);
}

function freshReport(name) {
  mkdirSync(inRoot(".cache/test"), { recursive: true });
  const file = inRoot(".cache/test", `${name}.json`);
  rmSync(file, { force: true });
  return file;
}
