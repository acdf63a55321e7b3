import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { findBrowser, findFirefox } from "./browser.mjs";
import { countsLine, readPlaywrightReport, readVitestReport, sum } from "./counts.mjs";
import { startExternalPostgres } from "./external-postgres.mjs";
import { argumentsFor } from "./flaky.mjs";
import { environmentFor } from "./node.mjs";
import { ensureGallery } from "./pages.mjs";
import { inRoot, say } from "./place.mjs";
import { run } from "./run.mjs";
import { testsBesideSql } from "./sql-tests.mjs";
import { temporaryInMemory } from "./temporary.mjs";

/**
 * @typedef {object} SuiteOptions
 * @property {string[]} [args] more arguments for the runner
 * @property {boolean} [shown] whether the runner's output is shown immediately instead of at its end
 * @property {import("./counts.mjs").FailedTest} [alone] the only test to run, with nothing else
 */

/** @type {Record<string, (node: string, options: SuiteOptions) => Promise<import("./counts.mjs").Counts>>} */
export const SUITES = {
  unit: (node, options) => runVitest(node, "unit", { ...options, projects: ["unit", "pages"] }),
  "unit-long": (node, options) => runVitest(node, "unit-long", { ...options, projects: ["unit", "api"] }),
  api: (node, options) => runVitest(node, "api", { ...options, projects: ["api"] }),
  e2e: (node, options) => runPlaywright(node, "e2e", options),
  "e2e-long": (node, options) => runPlaywright(node, "e2e-long", options),
  firefox: (node, options) => runFirefox(node, options),
  external: runExternal,
  faults: (node) => runBatteries(node),
};

const SHORT = ["unit", "api", "e2e"];
const LONG = ["unit-long", "e2e-long", "firefox", "external", "faults"];

/** Named groups of suites; `npm test` runs `short`. */
export const GROUPS = { short: SHORT, long: LONG, all: [...SHORT, ...LONG] };

/** Time zone of the tests: it has a half-hour offset and summer time, so code that forgets the zone fails. */
const TZ = "America/St_Johns";

async function runVitest(node, name, { projects, args = [], shown = false, alone, extra, reporter = "dot" }) {
  const report = freshReport(name, alone);
  const workers = alone ? 1 : workersFor(projects);
  const length = alone || args.length > 0 ? {} : { TEST_LENGTH: name.endsWith("-long") ? "long" : "short" };
  const { code, output } = await run(
    node,
    [
      inRoot("node_modules/vitest/vitest.mjs"),
      "run",
      ...projects.flatMap((project) => ["--project", project]),
      `--maxWorkers=${workers}`,
      `--reporter=${reporter}`,
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...(alone ? argumentsFor(alone) : args),
    ],
    { env: environmentFor(node, { TZ, ...length, ...(extra ?? temporaryInMemory()) }), quiet: !shown },
  );
  process.stdout.write(output);
  return readVitestReport(report, code);
}

/**
 * API tests mostly wait for servers, and page tests for timers, so there are more workers than processors.
 */
function workersFor(projects) {
  const processors = Math.min(4, availableParallelism());
  return projects.includes("api") ? Math.min(10, 3 * processors) : processors + 1;
}

/** Runs the browser tests: by default those of the suite's length, else the named files of any length. */
async function runPlaywright(node, name, options) {
  return runBrowser(node, name, { ...options, browser: await findBrowser(node), config: [] });
}

/** Runs the core journeys in the machine's own Firefox. */
async function runFirefox(node, options) {
  const browser = { FIREFOX_PATH: findFirefox() };
  const config = [`--config=${inRoot("test/e2e/firefox/playwright.config.ts")}`];
  return runBrowser(node, "firefox", { ...options, browser, config });
}

async function runBrowser(node, name, { args = [], shown = false, alone, browser, config }) {
  await ensureGallery(node);
  const report = freshReport(name, alone);
  const chosen = alone ? ["--workers=1", ...argumentsFor(alone)] : args;
  const env = environmentFor(node, {
    ...temporaryInMemory(),
    ...browser,
    ...(chosen.length === 0 ? { TEST_LENGTH: name === "e2e" ? "short" : "long" } : {}),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
  });
  const { code, output } = await run(
    node,
    [inRoot("node_modules/@playwright/test/cli.js"), "test", "--reporter=line,json", ...config, ...chosen],
    { env, quiet: !shown },
  );
  process.stdout.write(output);
  return readPlaywrightReport(report, code);
}

/**
 * Runs the API tests in folders with SQL, or the named ones, against a PostgreSQL from the machine's own
 * packages.
 */
async function runExternal(node, { args = [], shown, alone }) {
  const server = await startExternalPostgres();
  say(`Testing against PostgreSQL ${server.version} …`);
  try {
    return await runVitest(node, "external", {
      projects: ["api"],
      args: args.length > 0 ? args : testsBesideSql(),
      shown,
      alone,
      extra: { ...temporaryInMemory(), DATABASE_URL: server.url },
    });
  } finally {
    await server.stop();
  }
}

/** Names of the fault batteries. */
export const listBatteries = () =>
  readdirSync(inRoot("test/faults"))
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => file.slice(0, -".test.ts".length));

/**
 * Runs the long form of fault batteries, one after another, and prints each one's counts.
 * @param options.seed, options.times the seed, and the number of repetitions; each battery has its own
 * defaults
 */
export async function runBatteries(node, { names = listBatteries(), seed, times } = {}) {
  const results = [];
  for (const name of names) {
    const counted = inRoot(".cache/test", `faults-${name}.txt`);
    rmSync(counted, { force: true });
    const counts = await runVitest(node, "faults", {
      projects: ["api"],
      args: [`test/faults/${name}.test.ts`],
      shown: true,
      reporter: "default",
      // On disk, as in production: some of them fill it with copies of data folders.
      extra: {
        FAULTS: "long",
        FAULTS_COUNTS: counted,
        ...(seed ? { FAULTS_SEED: seed } : {}),
        ...(times ? { FAULTS_TIMES: times } : {}),
      },
    });
    const facts = existsSync(counted) ? readFileSync(counted, "utf8") : "";
    process.stdout.write(`\nbattery ${name}: ${countsLine(counts)}\n${facts}`);
    results.push(counts);
  }
  return sum(results);
}

function freshReport(name, alone) {
  mkdirSync(inRoot(".cache/test"), { recursive: true });
  const file = inRoot(".cache/test", `${name}${alone ? "-alone" : ""}.json`);
  rmSync(file, { force: true });
  return file;
}
