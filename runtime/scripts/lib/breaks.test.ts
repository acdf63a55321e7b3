import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { applyBreak, checkBroken, checkUnbroken, readBreaks, selectTests } from "./breaks.mjs";

const ONE = {
  name: "A negative amount is accepted",
  file: "rules.ts",
  find: "cents < 0",
  replace: "cents < $&",
  test: "src/rules.test.ts",
  suite: "unit" as const,
  title: "an amount (of cents)",
};

const report = (status: string, message = "") => ({
  testResults: [
    {
      name: "/copy/src/rules.test.ts",
      status: "failed",
      message: "",
      assertionResults: [
        { status: "skipped", ancestorTitles: [], title: "another", failureMessages: [] },
        {
          status,
          ancestorTitles: ["money"],
          title: "an amount (of cents) is checked",
          failureMessages: [message],
        },
      ],
    },
  ],
});

test("a break is applied to its file as it is written, and the file is restored", () => {
  const copy = mkdtempSync(join(tmpdir(), "breaks-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  const text = () => readFileSync(join(copy, "rules.ts"), "utf8");
  writeFileSync(join(copy, "rules.ts"), "if (cents < 0) refuse();\n");
  const restore = applyBreak(copy, ONE);
  expect(text()).toBe("if (cents < $&) refuse();\n");
  if (typeof restore === "function") restore();
  expect(text()).toBe("if (cents < 0) refuse();\n");
});

test("a break whose text occurs twice or not at all, or whose file is gone, is refused with the reason", () => {
  const copy = mkdtempSync(join(tmpdir(), "breaks-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  expect(applyBreak(copy, ONE)).toBe("there is no file rules.ts");
  writeFileSync(join(copy, "rules.ts"), "cents < 0 || cents < 0");
  expect(applyBreak(copy, ONE)).toBe("its text occurs 2 times in rules.ts");
  expect(applyBreak(copy, { ...ONE, find: "cents > 0" })).toBe("its text occurs 0 times in rules.ts");
});

test("a break falls only if its test fails with a failure of the test itself", () => {
  expect(checkBroken(report("failed", "AssertionError: expected 1 to be 2\n    at x"), ONE)).toEqual({
    kind: "fell",
    note: "AssertionError: expected 1 to be 2",
  });
  expect(checkBroken(report("failed", "Error: Test timed out in 5000ms."), ONE).kind).toBe("fell");
  expect(checkBroken(report("passed"), ONE)).toEqual({ kind: "survived", note: "the test passes" });
  expect(checkBroken(report("failed", "ReferenceError: x is not defined"), ONE).kind).toBe("invalid");
  expect(checkBroken(report("skipped"), ONE).note).toBe(
    'no test "an amount (of cents)" ran in src/rules.test.ts',
  );
  expect(checkBroken(null, ONE).note).toBe("no report was written");
  const unloaded = {
    name: "/copy/src/rules.test.ts",
    status: "failed",
    message: "Unexpected token",
    assertionResults: [],
  };
  expect(checkBroken({ testResults: [unloaded] }, ONE)).toEqual({
    kind: "invalid",
    note: "src/rules.test.ts could not be loaded: Unexpected token",
  });
});

test("a test that fails without its break, or does not run, proves nothing", () => {
  expect(checkUnbroken(report("passed"), ONE)).toBeNull();
  expect(checkUnbroken(report("failed", "AssertionError: 1"), ONE)).toMatch(
    /^the test fails without the break/,
  );
  expect(checkUnbroken(report("skipped"), ONE)).toMatch(/^no test /);
});

test("tests are selected by files and by titles as they are written", () => {
  const other = { ...ONE, title: "another" };
  expect(selectTests([ONE, other]).slice(-3)).toEqual([
    "src/rules.test.ts",
    "-t",
    String.raw`(an amount \(of cents\)|another)`,
  ]);
});

test("a list with an incomplete, unknown or repeated entry is refused", () => {
  expect(readBreaks(JSON.stringify([ONE]))).toEqual([ONE]);
  const refused =
    (...list: object[]) =>
    () =>
      readBreaks(JSON.stringify(list));
  expect(refused({ ...ONE, title: undefined })).toThrow(
    'The break "A negative amount is accepted" has no title.',
  );
  expect(refused({ ...ONE, suite: "e2e" })).toThrow("names no suite: write unit or api.");
  expect(refused(ONE, ONE)).toThrow('Two breaks are named "A negative amount is accepted".');
});
