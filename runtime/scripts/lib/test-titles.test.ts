import { expect, test } from "vitest";
import { hasTest } from "./test-titles.mjs";

const TITLE = "A-1 it holds, always";

test.for([
  [`test("${TITLE}", () => {});`, true],
  [`test.for(STATES)("${TITLE} in %s", () => {});`, true],
  [`test.for([\n  1,\n])("${TITLE}", () => {});`, true],
  [`test(\n  "${TITLE}",\n  { timeout: 9 },\n  () => {},\n);`, true],
  [`// test("nothing"): ${TITLE}`, false],
  [`expect(text).toBe("${TITLE}");`, false],
  [`test.${"skip"}("${TITLE}", () => {});`, false],
  [`test.todo(\n  "${TITLE}",\n);`, false],
  [`test("B-2 another holds", () => {});`, false],
] as const)("a title is of a test that runs: %s", ([text, has]) => {
  expect(hasTest(text, TITLE)).toBe(has);
});

test("a title that is too short to name one test names none", () => {
  expect(hasTest('test("it", () => {});', "it")).toBe(false);
});
