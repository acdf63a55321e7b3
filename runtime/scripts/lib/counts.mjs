import { existsSync, readFileSync } from "node:fs";

/**
 * `unsteady` names tests that failed at first and passed when repeated: they count as passed, and are told.
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[], unsteady: string[] }} Counts
 */

/** Adds the counts of suites. @returns {Counts} */
export function sum(all) {
  const total = { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [] };
  for (const counts of all) {
    for (const key of ["passed", "failed", "skipped"]) total[key] += counts[key];
    total.failures.push(...counts.failures);
    total.unsteady.push(...counts.unsteady);
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
      .map((test) => test.fullName);
    return failed.length === 0 && result.status === "failed"
      ? [`${result.name}: ${firstLine(result.message)}`]
      : failed;
  });
  const skipped = report.numPendingTests + report.numTodoTests;
  return finish({ passed: report.numPassedTests, skipped, failures }, exitCode);
}

/** Reads Playwright's JSON report. */
export function readPlaywrightReport(file, exitCode) {
  const report = readReport(file);
  if (!report) return crashed("no report was written");
  const failures = report.errors.map((error) => firstLine(error.message));
  const specs = report.suites.flatMap(specsOf);
  for (const spec of specs) if (!spec.ok) failures.push(spec.title);
  const unsteady = specs
    .filter((spec) => spec.ok && spec.tests.some((test) => test.status === "flaky"))
    .map((spec) => spec.title);
  const { expected, flaky, skipped } = report.stats;
  return finish({ passed: expected + flaky, skipped, failures, unsteady }, exitCode);
}

function finish({ passed, skipped, failures, unsteady = [] }, exitCode) {
  const faults = [...failures];
  if (exitCode !== 0 && faults.length === 0) faults.push(`the suite ended with code ${exitCode}`);
  if (passed + skipped + faults.length === 0) faults.push("the suite has no tests");
  return { passed, failed: faults.length, skipped, failures: faults, unsteady };
}

const crashed = (reason) => ({ passed: 0, failed: 1, skipped: 0, failures: [reason], unsteady: [] });
const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
const firstLine = (text) => String(text ?? "").split("\n")[0];

function readReport(file) {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
  } catch {
    return null;
  }
}
