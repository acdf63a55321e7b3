import { existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/**
 * Failures are the name of each failed test and its error, in one line.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Counts
 */

/** Characters: enough for the expected and the received value. */
const REASON_LENGTH = 600;

/** Adds the counts of suites. @returns {Counts} */
export function sum(all) {
  const total = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const counts of all) {
    for (const key of ["passed", "failed", "skipped"]) total[key] += counts[key];
    total.failures.push(...counts.failures);
  }
  return total;
}

/** The last line of a run. */
export const countsLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

/**
 * Reads Vitest's JSON report. Files that could not be loaded, and errors outside the tests, count as failed.
 */
export function readVitestReport(file, exitCode) {
  const report = readReport(file);
  if (!report) return crashed("no report was written");
  const failures = report.testResults.flatMap((result) => {
    const failed = result.assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => withReason(test.fullName, test.failureMessages?.[0]));
    return failed.length === 0 && result.status === "failed"
      ? [`${result.name}: ${firstLine(result.message)}`]
      : failed;
  });
  const skipped = report.numPendingTests + report.numTodoTests;
  return finish({ passed: report.numPassedTests, skipped, failures }, exitCode);
}

/** Reads Playwright's JSON report. A test that passed only on a retry counts as failed. */
export function readPlaywrightReport(file, exitCode) {
  const report = readReport(file);
  if (!report) return crashed("no report was written");
  const failures = report.errors.map((error) => firstLine(error.message));
  for (const spec of report.suites.flatMap(listSpecs)) {
    if (spec.ok) continue;
    const error = (spec.tests ?? []).flatMap(({ results }) => results).flatMap(({ errors }) => errors)[0];
    failures.push(withReason(spec.title, error?.message));
  }
  return finish({ passed: report.stats.expected, skipped: report.stats.skipped, failures }, exitCode);
}

/** Reads the last line of a run, as `countsLine` writes it. */
export function readCountsLine(output, exitCode) {
  const line = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
  if (!line) return crashed(`no counts were printed: ${output.trim().split("\n").at(-1)}`);
  const [passed, failed, skipped] = line.slice(1).map((count) => Number(count ?? 0));
  const failures = Array.from({ length: failed }, () => "see its output above");
  return finish({ passed, skipped, failures }, exitCode);
}

/** Counts for a suite that ended without its report. @returns {Counts} */
export const crashed = (reason) => ({
  passed: 0,
  failed: 1,
  skipped: 0,
  failures: [reason],
});

function finish({ passed, skipped, failures }, exitCode) {
  const all = [...failures];
  if (exitCode !== 0 && all.length === 0) all.push(`the suite ended with code ${exitCode}`);
  if (passed + skipped + all.length === 0) all.push("the suite has no tests");
  return { passed, failed: all.length, skipped, failures: all };
}

/**
 * Adds the error message without its stack, in one line, so that the end of a log shows which test failed and
 * why.
 */
function withReason(title, message) {
  const lines = stripVTControlCharacters(message ?? "").split("\n");
  const reason = lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("at "))
    .join(" | ")
    .slice(0, REASON_LENGTH);
  return reason === "" ? title : `${title}: ${reason}`;
}

const listSpecs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(listSpecs)];
const firstLine = (text) => String(text ?? "").split("\n")[0];

function readReport(file) {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  } catch {
    return null;
  }
}
