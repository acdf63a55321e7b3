import { existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Counts */

/** Characters: enough for what was expected and what came. */
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

/** The line a run ends with. */
export const countsLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

/** Reads Vitest's JSON report. A file that could not be loaded, and an error outside the tests, count as failed. */
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

/** Reads Playwright's JSON report. A test that passed only when repeated counts as failed. */
export function readPlaywrightReport(file, exitCode) {
  const report = readReport(file);
  if (!report) return crashed("no report was written");
  const failures = report.errors.map((error) => firstLine(error.message));
  for (const spec of report.suites.flatMap(specsOf))
    if (!spec.ok) failures.push(withReason(spec.title, errorOf(spec)));
  return finish({ passed: report.stats.expected, skipped: report.stats.skipped, failures }, exitCode);
}

function finish({ passed, skipped, failures }, exitCode) {
  const faults = [...failures];
  if (exitCode !== 0 && faults.length === 0) faults.push(`the suite ended with code ${exitCode}`);
  if (passed + skipped + faults.length === 0) faults.push("the suite has no tests");
  return { passed, failed: faults.length, skipped, failures: faults };
}

/** Whoever reads only the end of a log learns what failed, and why: the message in one line, without where it was thrown. */
function withReason(title, message) {
  const lines = stripVTControlCharacters(message ?? "").split("\n");
  const reason = lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("at "))
    .join(" | ")
    .slice(0, REASON_LENGTH);
  return reason === "" ? title : `${title}: ${reason}`;
}

const errorOf = (spec) =>
  (spec.tests ?? []).flatMap(({ results }) => results).flatMap(({ errors }) => errors)[0]?.message;

const crashed = (reason) => ({ passed: 0, failed: 1, skipped: 0, failures: [reason] });
const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
const firstLine = (text) => String(text ?? "").split("\n")[0];

function readReport(file) {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  } catch {
    return null;
  }
}
