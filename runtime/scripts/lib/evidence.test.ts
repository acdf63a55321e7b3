import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findMissing, readReview, readStandard, writeIndex } from "./evidence.mjs";
import { inRoot } from "./place.mjs";

const read = (file: string) => (existsSync(inRoot(file)) ? readFileSync(inRoot(file), "utf8") : null);
const text = (file: string) => read(file) ?? "";

test("HA-12 each requirement of Intuit's review and of ASVS that is met names existing tests", () => {
  const review = readReview(text("docs/intuit-review.md"));
  const standard = readStandard(text("docs/asvs.md"), text("docs/security.md"));
  expect(review.length).toBeGreaterThan(30);
  expect(standard.length).toBeGreaterThan(150);
  expect(findMissing([...review, ...standard], read)).toEqual([]);
});

const HEAD = "## Web\n\n| requirement | how | proof |\n|---|---|---|\n";
const FILES: Readonly<Record<string, string>> = {
  "a.test.ts": 'test("A-1 it holds, always", () => {});\ntest.skip("it is skipped", () => {});',
};
const check = (proof: string) =>
  findMissing(readReview(`${HEAD}| cookies | so | ${proof} |`), (file) => FILES[file] ?? null);

test("HA-12 a requirement whose test is missing, renamed or skipped fails, and so does one without a test", () => {
  expect(check("`a.test.ts` A-1 it holds, always")).toEqual([]);
  expect(check("none: a setting of the operator")).toEqual([]);
  expect(check("")).toEqual([expect.stringContaining('"cookies" names no test')]);
  expect(check("`b.test.ts` A-1 it holds, always")).toEqual([
    expect.stringContaining("names b.test.ts, which is not"),
  ]);
  expect(check("`a.test.ts` A-1 it holds")).toEqual([
    expect.stringContaining('the test "A-1 it holds", which a.test.ts'),
  ]);
  expect(check("`a.test.ts` it is skipped")).toEqual([expect.stringContaining('"it is skipped"')]);
});

test("HA-12 a requirement of ASVS has the tests of its chapter, and none fails", () => {
  const asvs =
    "## Met\n\n| requirements | by |\n|---|---|\n| 1.1.1, 2.1.1 | schemas |\n\n## Not met, with a reason\n";
  const security = "### V1 Encoding\n\n`a.test.ts`\n\n### V2 Validation\n\nnone\n";
  const requirements = readStandard(asvs, security);
  expect(requirements.map(({ topic }) => topic)).toEqual(["ASVS V1", "ASVS V2"]);
  expect(findMissing(requirements, (file) => FILES[file] ?? null)).toEqual([
    expect.stringContaining('"2.1.1: schemas" names no test'),
  ]);
  const facts = { release: "dockside 1", commit: "abc", date: "2026-11-29" };
  expect(writeIndex(requirements, facts)).toContain(
    "| ASVS V1 | 1.1.1: schemas | [a.test.ts](tests/a.test.ts) |",
  );
});
