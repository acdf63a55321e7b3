import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { countsLine, readCountsLine, readPlaywrightReport, readVitestReport, sum } from "./counts.mjs";

function reportFile(content: object | string): string {
  const folder = mkdtempSync(join(tmpdir(), "dockside-counts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "report.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}

const vitestReport = (testResults: object[], passed: number) =>
  reportFile({ numPassedTests: passed, numPendingTests: 1, numTodoTests: 0, testResults });

test("a run ends with the totals of its suites; skipped tests are mentioned only when there are any", () => {
  const counts = { passed: 2, failed: 1, skipped: 0, failures: ["a"] };
  const two = { passed: 3, failed: 0, skipped: 4, failures: [] };
  expect(countsLine(counts)).toBe("2 passed, 1 failed");
  expect(countsLine(sum([counts, two]))).toBe("5 passed, 1 failed, 4 skipped");
});

test("a failed test is listed with its reason on one line", () => {
  const message = "\u001b[31mError: expected 1\u001b[39m\n\n  Received: 2\n    at a.test.ts:1:1";
  const tests = vitestReport(
    [
      {
        name: "a.test.ts",
        status: "failed",
        message: "",
        assertionResults: [
          {
            status: "failed",
            fullName: "it adds",
            failureMessages: [message],
          },
        ],
      },
    ],
    7,
  );
  const pages = reportFile({
    errors: [],
    stats: { expected: 0, skipped: 0 },
    suites: [
      {
        specs: [
          {
            ok: false,
            title: "it shows",
            file: "b.test.ts",
            line: 12,
            tests: [{ results: [{ errors: [{ message }] }] }],
          },
        ],
      },
    ],
  });
  expect(readVitestReport(tests, 1).failures).toEqual(["it adds: Error: expected 1 | Received: 2"]);
  expect(readPlaywrightReport(pages, 1).failures).toEqual(["it shows: Error: expected 1 | Received: 2"]);
});

test("a test file that could not be loaded counts as a failure in addition to the failed tests", () => {
  const file = vitestReport(
    [
      {
        name: "a.test.ts",
        status: "failed",
        message: "",
        assertionResults: [{ status: "failed", fullName: "it adds" }],
      },
      { name: "b.test.ts", status: "failed", message: "Cannot find x\nat y", assertionResults: [] },
    ],
    7,
  );
  expect(readVitestReport(file, 1)).toEqual({
    passed: 7,
    failed: 2,
    skipped: 1,
    failures: ["it adds", "b.test.ts: Cannot find x"],
  });
});

test("a suite that exits with an error although every test passed is a failure", () => {
  expect(readVitestReport(vitestReport([], 7), 1)).toMatchObject({ passed: 7, failed: 1 });
  expect(readVitestReport(vitestReport([], 7), 0)).toMatchObject({ passed: 7, failed: 0 });
});

test("a suite without tests, or without a report, is a failure", () => {
  const empty = reportFile({ numPassedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] });
  expect(readVitestReport(empty, 0)).toMatchObject({
    failed: 1,
    failures: ["the suite has no tests"],
  });
  expect(readVitestReport("/nowhere/report.json", 0)).toMatchObject({ failed: 1 });
  expect(readPlaywrightReport(reportFile("{ cut"), 0)).toMatchObject({ failed: 1 });
});

test("browser tests are counted in nested suites, and one that passed only on retry counts as failed", () => {
  const file = reportFile({
    errors: [],
    stats: { expected: 2, skipped: 0, unexpected: 0, flaky: 1 },
    suites: [
      {
        specs: [{ ok: true, title: "a" }],
        suites: [{ specs: [{ ok: false, title: "b", file: "b.test.ts", line: 3 }] }],
      },
    ],
  });
  expect(readPlaywrightReport(file, 1)).toMatchObject({
    passed: 2,
    failed: 1,
    skipped: 0,
    failures: ["b"],
  });
});

test("a script's own counts are read from its last line, and without them it failed", () => {
  expect(readCountsLine("1 passed, 0 failed\nmore\n58 passed, 2 failed, 1 skipped\n", 1)).toMatchObject({
    passed: 58,
    failed: 2,
    skipped: 1,
  });
  expect(readCountsLine("Cannot find module\n", 1)).toMatchObject({ passed: 0, failed: 1 });
});
