import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { ROOT } from "./place.mjs";

/** Maximum number of flaky tests in one run; more fail the run. */
export const MAX_FLAKY = 5;
/**
 * With more failures than this, the product or the machine is at fault, and repeating all of them proves
 * nothing.
 */
const MAX_REPEATED = 20;
/** A test that was flaky in this many runs must be fixed. */
const REPEATS_TO_FIX = 3;
const REMEMBERED_DAYS = 60;
const DAY_MS = 86_400_000;

/**
 * Runs each failed test once more, alone. One that then passes counts as passed and is listed as flaky.
 * @param {[string, import("./counts.mjs").Counts][]} results the counts of each suite, changed in place
 * @param {(suite: string, test: import("./counts.mjs").FailedTest) => Promise<import("./counts.mjs").Counts>} runAlone
 * @returns {Promise<string[]>} names of the flaky tests
 */
export async function repeatFailures(results, runAlone) {
  const flaky = [];
  if (results.reduce((total, [, { failed }]) => total + failed, 0) > MAX_REPEATED) return flaky;
  for (const [suite, counts] of results) {
    const remaining = [];
    for (const failure of counts.failures) {
      const again = failure.test && (await runAlone(suite, failure.test));
      if (!again || again.failed > 0 || again.passed === 0) {
        remaining.push(failure);
        continue;
      }
      counts.failed -= 1;
      // Every test of a file that could not be loaded counts; otherwise there is only one.
      counts.passed += failure.test.title === null ? again.passed : 1;
      flaky.push(nameTest(failure.test));
    }
    counts.failures = remaining;
  }
  return flaky;
}

/** Returns the runner's arguments that select one test. */
export function argumentsFor({ file, titles, line }) {
  if (line !== undefined) return [`${relative(ROOT, file)}:${line}`];
  if (!titles) return [file];
  const escaped = titles.map((title) => title.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  return [file, "-t", `^${escaped.join(" > ")}$`];
}

/**
 * Adds a run's flaky tests to the history of this checkout.
 * @param {string} file the history: `{ NAME: [ISO time of each run in which it was flaky] }`
 * @returns {string[]} a sentence for each test that was flaky at least three times
 */
export function rememberFlaky(file, names, now = new Date()) {
  const history = readHistory(file);
  const since = now.getTime() - REMEMBERED_DAYS * DAY_MS;
  const kept = {};
  for (const [name, times] of Object.entries(history)) {
    const recent = times.filter((time) => Date.parse(time) >= since);
    if (recent.length > 0) kept[name] = recent;
  }
  for (const name of new Set(names)) kept[name] = [...(kept[name] ?? []), now.toISOString()];
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  return names
    .filter((name) => kept[name].length >= REPEATS_TO_FIX)
    .map((name) => {
      const days = kept[name].map((time) => time.slice(0, 10)).join(", ");
      return `Fix this test, it was flaky in ${kept[name].length} runs (${days}): ${name}`;
    });
}

const nameTest = ({ file, title }) => (title === null ? relative(ROOT, file) : title);

function readHistory(file) {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  } catch {
    return {};
  }
}
