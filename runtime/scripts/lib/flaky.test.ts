import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { argumentsFor, MAX_FLAKY, rememberFlaky, repeatFailures } from "./flaky.mjs";
import { inRoot } from "./place.mjs";

type Test = { file: string; title: string | null; line?: number };

const failure = (title: string | null, file = "a.test.ts") => ({
  reason: `${title}: Error`,
  test: { file, title },
});
const suite = (passed: number, failures: object[]) => ({
  passed,
  failed: failures.length,
  skipped: 0,
  failures,
});
const PASSED = { passed: 1, failed: 0, skipped: 3, failures: [] };
const FAILED = { passed: 0, failed: 1, skipped: 3, failures: [] };

test("a test that failed and passes alone is flaky and counts as passed, one that fails again stays failed", async () => {
  const unit = suite(7, [failure("late"), failure("broken")]);
  const e2e = suite(3, [failure("shaky")]);
  const ran: string[] = [];
  const flaky = await repeatFailures(
    [
      ["unit", unit],
      ["e2e", e2e],
    ],
    async (name: string, { title }: Test) => {
      ran.push(`${name} ${title}`);
      return title === "broken" ? FAILED : PASSED;
    },
  );
  expect(ran).toEqual(["unit late", "unit broken", "e2e shaky"]);
  expect(flaky).toEqual(["late", "shaky"]);
  expect(unit).toEqual(suite(8, [failure("broken")]));
  expect(e2e).toEqual(suite(4, []));
});

test("a rerun that ran no test leaves the failure", async () => {
  const unit = suite(7, [failure("renamed")]);
  expect(await repeatFailures([["unit", unit]], async () => ({ ...PASSED, passed: 0 }))).toEqual([]);
  expect(unit.failed).toBe(1);
});

test("a file that could not be loaded is rerun as one, and a suite that crashed is not", async () => {
  const file = inRoot("src/a.test.ts");
  const unit = suite(7, [failure(null, file), { reason: "the suite ended with code 1", test: null }]);
  const flaky = await repeatFailures([["unit", unit]], async () => ({ ...PASSED, passed: 4 }));
  expect(flaky).toEqual(["src/a.test.ts"]);
  expect(unit).toMatchObject({ passed: 11, failed: 1 });
});

test("when a large part of a run failed, nothing is run again", async () => {
  const unit = suite(
    7,
    Array.from({ length: 21 }, (_, index) => failure(`test ${index}`)),
  );
  const flaky = await repeatFailures([["unit", unit]], () => Promise.reject(new Error("ran")));
  expect(flaky).toEqual([]);
  expect(MAX_FLAKY).toBe(5);
});

test("one test is chosen by its exact title, or by its line in a browser test", () => {
  const file = inRoot("test/e2e/a.test.ts");
  const titles = ["invoices", "cost 5 $ (net) [a|b]?"];
  expect(argumentsFor({ file, title: titles.join(" "), titles })).toEqual([
    file,
    "-t",
    "^invoices > cost 5 \\$ \\(net\\) \\[a\\|b\\]\\?$",
  ]);
  expect(argumentsFor({ file, title: "shows", line: 12 })).toEqual(["test/e2e/a.test.ts:12"]);
  expect(argumentsFor({ file, title: null })).toEqual([file]);
});

test("a test that is flaky in a third run must be fixed; runs from long ago do not count", () => {
  const folder = mkdtempSync(join(tmpdir(), "dockside-flaky-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "cache", "flaky.json");
  const on = (day: string, names: string[]) => rememberFlaky(file, names, new Date(`${day}T08:00:00Z`));
  expect(on("2026-01-01", ["shaky"])).toEqual([]);
  expect(on("2026-11-01", ["shaky", "late"])).toEqual([]);
  expect(on("2026-11-02", ["shaky"])).toEqual([]);
  expect(on("2026-11-03", [])).toEqual([]);
  expect(on("2026-11-04", ["shaky", "late"])).toEqual([
    "Fix this test, it was flaky in 3 runs (2026-11-01, 2026-11-02, 2026-11-04): shaky",
  ]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    late: ["2026-11-01T08:00:00.000Z", "2026-11-04T08:00:00.000Z"],
  });
});
