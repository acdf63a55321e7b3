import { expect, test } from "vitest";
import type { Problem } from "#formats/table/problem.ts";
import { changesBetween, type Comparable } from "#features/invoices/check/rules-changes.ts";
import { changeSentence } from "#features/invoices/check/sentences.ts";

/** Sentences about the changes. */
const changes = (...checks: Parameters<typeof changesBetween>) =>
  changesBetween(...checks).map((change) => changeSentence(change, []));

type Entry = Comparable & { errors: readonly Problem[] };

const entry = (change: Partial<Entry> = {}): Entry => ({
  key: "k1",
  docNumber: "1001",
  rows: [2],
  state: "ready",
  draftFingerprint: "one",
  errors: [],
  ...change,
});

test("an invoice that would be posted differently names every possible cause: QuickBooks, or saved matches", () => {
  expect(changes([entry()], [entry({ draftFingerprint: "other" })])).toEqual([
    "Invoice 1001 would be posted differently now, because QuickBooks or your saved matches changed since the check.",
  ]);
});

test("an unchanged invoice has no sentence", () => {
  expect(changes([entry()], [entry()])).toEqual([]);
});

test("an invoice that stays rejected for another reason has no sentence: none of it would be posted", () => {
  const error: Problem = {
    code: "required",
    severity: "error",
    field: "customer",
    row: 2,
    column: 1,
    value: "",
    params: {},
  };
  const rejected = (errors: Problem[]) => entry({ state: "rejected", draftFingerprint: "", errors });
  expect(changes([rejected([])], [rejected([error])])).toEqual([]);
});

test("an invoice whose rows now belong to another one is named", () => {
  expect(changes([entry(), entry({ key: "k2", docNumber: null, rows: [3] })], [entry()])).toEqual([
    "The invoice of row 3 is no longer a separate invoice in the file.",
  ]);
});
