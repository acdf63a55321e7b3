import { expect, test } from "vitest";
import { changesBetween, type Comparable } from "#features/invoices/check/rules-changes.ts";

const entry = (change: Partial<Comparable> = {}): Comparable => ({
  key: "k1",
  docNumber: "1001",
  rows: [2],
  state: "ready",
  draftFingerprint: "one",
  texts: "",
  ...change,
});

test("what would be posted differently names every place the cause can be in, since a remembered name is not QuickBooks", () => {
  expect(changesBetween([entry()], [entry({ draftFingerprint: "other" })])).toEqual([
    "Invoice 1001 would be posted differently now, because QuickBooks, or your remembered names, columns or dates, changed since the check.",
  ]);
});

test("an unchanged invoice has no sentence", () => {
  expect(changesBetween([entry()], [entry()])).toEqual([]);
});

test("an invoice that stays rejected for another reason has no sentence: nothing of it would be posted", () => {
  const rejected = (texts: string) => entry({ state: "rejected", draftFingerprint: "", texts });
  expect(changesBetween([rejected("one")], [rejected("other")])).toEqual([]);
});

test("an invoice whose rows now belong to another one is named", () => {
  expect(changesBetween([entry(), entry({ key: "k2", docNumber: null, rows: [3] })], [entry()])).toEqual([
    "The invoice of row 3 is no longer read from the file as an invoice of its own.",
  ]);
});
