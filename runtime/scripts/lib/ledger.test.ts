import { expect, test } from "vitest";
import { compareLedgers } from "../check/ledger.mjs";
import { mergeMeasured } from "./ledger.mjs";

test("measurements are added up for each file, and those that hardly differ change nothing", () => {
  const measured = [
    ["b", 1.2],
    ["b", 1.3],
    ["a", 10.9],
    ["c", 3],
  ] as const;
  const old = { a: 10, c: 1, gone: 4 };
  expect(mergeMeasured(old, measured, true)).toEqual({ a: 10, b: 2.5, c: 3 });
  expect(mergeMeasured(old, [["c", 3]], false)).toEqual({ a: 10, c: 3, gone: 4 });
});

test("a file without its figure, a dear one, and a sum that grew are refused by name", () => {
  expect(compareLedgers(["a", "b"], { a: 20, b: 1 }, { a: 19.5, b: 1 })).toEqual([]);
  expect(compareLedgers(["a", "b"], { a: 20.5 }, null)).toEqual([
    expect.stringMatching(/^a takes 20\.5 CPU seconds/),
    expect.stringMatching(/^b is not in test\/ledger\.json/),
  ]);
  expect(compareLedgers(["a", "b"], { a: 10, b: 7 }, { a: 10, b: 6 })).toEqual([
    "test/ledger.json grew from 16 to 17 CPU seconds, more than 5 %: b +1.0, a +0.0",
  ]);
});
