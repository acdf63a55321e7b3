import { expect, test } from "vitest";
import { changesBetween, type Comparable } from "#features/invoices/check/rules-changes.ts";

const entry = (change: Partial<Comparable> = {}): Comparable => ({
  key: "k1",
  docNumber: "1001",
  rows: [2],
  state: "ready",
  draftMark: "one",
  texts: "",
  ...change,
});

test("what would be posted differently names every place the cause can be in, since a remembered name is not QuickBooks", () => {
  expect(changesBetween([entry()], [entry({ draftMark: "other" })])).toEqual([
    "Invoice 1001 would be posted differently now, because QuickBooks, or your remembered names, columns or dates, changed since the check.",
  ]);
});

test("an unchanged invoice has no sentence", () => {
  expect(changesBetween([entry()], [entry()])).toEqual([]);
});
