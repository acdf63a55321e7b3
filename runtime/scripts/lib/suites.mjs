import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { findBrowser, findFirefox } from "./browser.mjs";
import { countsLine, readCountsLine, readPlaywrightReport, readVitestReport, sum } from "./counts.mjs";
import { startExternalPostgres } from "./external-postgres.mjs";
import { environmentFor } from "./node.mjs";
import { ensureGallery } from "./pages.mjs";
import { inRoot, say } from "./place.mjs";
import { run } from "./run.mjs";
import { listSqlTests } from "./sql-tests.mjs";
import { createMemoryTmpdir } from "./temporary.mjs";

/**
 * @typedef {object} SuiteOptions
 * @property {string[]} [args] more arguments for the runner
 * @property {boolean} [full] whether the files `*.full.test.ts` run too
 * @property {boolean} [shown] whether the runner's output is shown immediately instead of at its end
 */

/** @type {Record<string, (node: string, options: SuiteOptions) => Promise<import("./counts.mjs").Counts>>} */
export const SUITES = {
  unit: (node, options) => runVitest(node, "unit", { ...options, projects: ["unit", "pages"] }),
  api: (node, options) => runVitest(node, "api", { ...options, projects: ["api"] }),
  vitest: (node, options) => runVitest(node, "vitest", { ...options, projects: ["unit", "pages", "api"] }),
  e2e: (node, options) => runPlaywright(node, "e2e", options),
  firefox: (node, options) => runFirefox(node, options),
  external: runExternal,
  breaks: runBreaks,
};

const SHORT = ["unit", "api", "e2e"];

/** Named groups of suites; `npm test` runs `short`. */
export const GROUPS = { short: SHORT, full: [...SHORT, "firefox", "external", "breaks"] };

/**
 * Leaves out the files `*.full.test.ts`, unless the suite is run in full or its arguments select the tests.
 */
const selectLength = ({ full = false, args = [] }) => ({
  ...(full || args.length > 0 ? {} : { WITHOUT_FULL: "1" }),
  // Tests that try many cases try each (test/support/rules/every-nth.ts).
  ...(full ? { EVERY_CASE: "1" } : {}),
});

async function runVitest(node, name, { projects, extra, reporter = "dot", ...options }) {
  const { args = [], shown = false } = options;
  const report = freshReport(name);
  const { code, output } = await run(
    node,
    [
      inRoot("node_modules/vitest/vitest.mjs"),
      "run",
      ...projects.flatMap((project) => ["--project", project]),
      `--reporter=${reporter}`,
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...args,
    ],
    {
      env: environmentFor(node, {
        // Half an hour off the full ones, with summer time: a date without its zone shows.
        TZ: "America/St_Johns",
        ...selectLength(options),
        ...(extra ?? createMemoryTmpdir()),
      }),
      quiet: !shown,
    },
  );
  process.stdout.write(output);
  return readVitestReport(report, code);
}

/** Runs the browser tests in Chromium. */
async function runPlaywright(node, name, options) {
  return runBrowser(node, name, { ...options, browser: await findBrowser(node), config: [] });
}

/** Runs the core journeys in the machine's own Firefox. */
async function runFirefox(node, options) {
  const browser = { FIREFOX_PATH: findFirefox() };
  const config = [`--config=${inRoot("test/e2e/firefox/playwright.config.ts")}`];
  return runBrowser(node, "firefox", { ...options, browser, config });
}

async function runBrowser(node, name, { browser, config, ...options }) {
  const { args = [], shown = false } = options;
  if (!("WITHOUT_FULL" in selectLength(options))) await ensureGallery(node);
  const report = freshReport(name);
  const env = environmentFor(node, {
    ...createMemoryTmpdir(),
    ...browser,
    ...selectLength(options),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    // Else below TMPDIR, which is new with each run.
    PWTEST_CACHE_DIR: inRoot(".cache/playwright"),
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: "1",
  });
  const { code, output } = await run(
    node,
    [inRoot("node_modules/@playwright/test/cli.js"), "test", "--reporter=line,json", ...config, ...args],
    { env, quiet: !shown },
  );
  process.stdout.write(output);
  return readPlaywrightReport(report, code);
}

/**
 * Runs the API tests in folders with SQL, or the named ones, against a PostgreSQL from the machine's own
 * packages.
 */
async function runExternal(node, { args = [], shown }) {
  const server = await startExternalPostgres();
  say(`Testing against PostgreSQL ${server.version} …`);
  try {
    return await runVitest(node, "external", {
      projects: ["api"],
      args: args.length > 0 ? args : listSqlTests(),
      shown,
      extra: { ...createMemoryTmpdir(), DATABASE_URL: server.url },
    });
  } finally {
    await server.stop();
  }
}

/**
 * Runs `npm run breaks`: each one-line break of the product must fail the test that is named for it. Its last
 * line is that of every suite.
 */
async function runBreaks(node, { args = [], shown = false }) {
  const { code, output } = await run(node, [inRoot("runtime/scripts/breaks.mjs"), ...args], {
    env: environmentFor(node, createMemoryTmpdir()),
    quiet: true,
  });
  if (shown || code !== 0) process.stdout.write(output);
  return readCountsLine(output, code);
}

/** Names of the fault batteries. */
export const listBatteries = () =>
  readdirSync(inRoot("test/faults"))
    .filter((file) => file.endsWith(".full.test.ts"))
    .map((file) => file.slice(0, -".full.test.ts".length));

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
      args: [`test/faults/${name}.full.test.ts`],
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

function freshReport(name) {
  mkdirSync(inRoot(".cache/test"), { recursive: true });
  const file = inRoot(".cache/test", `${name}.json`);
  rmSync(file, { force: true });
  return file;
}
