import { expect, test } from "vitest";
import { nothingSentence } from "#features/invoices/results/sentences-runs.ts";
import { leftOf, runSentence } from "#features/invoices/undo/rules.ts";

const POSTED = { number: "1043", syncToken: "0" };
const FOUND = { Id: "7", SyncToken: "0", TotalAmt: 50, Balance: 50, TxnDate: "2026-11-02", Line: [] };
const judge = (change: object, closed: string | null = null) =>
  leftOf(POSTED, { ...FOUND, ...change }, closed)?.reason ?? null;

test("an invoice that nobody touched may be undone", () => {
  expect(judge({})).toBeNull();
  expect(judge({ LinkedTxn: [{ TxnId: "3", TxnType: "Estimate" }] })).toBeNull();
  expect(judge({ PrivateNote: "Voided goods, see letter" })).toBeNull();
  expect(judge({ TotalAmt: 0, Balance: 0 })).toBeNull();
});

test.each([
  ["an open part smaller than the total", { Balance: 49.99 }, "paid"],
  ["a payment that left the open part alone", { LinkedTxn: [{ TxnId: "3", TxnType: "Payment" }] }, "paid"],
  ["a credit", { LinkedTxn: [{ TxnId: "3", TxnType: "CreditMemo" }] }, "paid"],
  ["a payment and an edit", { SyncToken: "2", Balance: 0 }, "paid"],
  ["an edit", { SyncToken: "1" }, "edited"],
  ["a void", { SyncToken: "1", TotalAmt: 0, Balance: 0, PrivateNote: "Voided" }, "voided"],
  ["an edit to nothing", { SyncToken: "1", TotalAmt: 0, Balance: 0 }, "edited"],
] as const)("%s holds an undo back", (_name, change, reason) => {
  expect(judge(change)).toBe(reason);
});

test("an invoice that is not there was deleted by others", () => {
  expect(leftOf(POSTED, undefined, null)).toEqual({
    reason: "deleted",
    sentence: "Invoice 1043 was deleted in QuickBooks already.",
  });
});

test("the last closed day is closed, the day after it is open", () => {
  expect(judge({}, "2026-11-01")).toBeNull();
  expect(judge({}, "2026-11-02")).toBe("closed_period");
});

test.each([
  [{ undone: 2, skipped: 0 }, "2 invoices were voided."],
  [{ undone: 1, skipped: 1 }, "1 invoice was voided, 1 invoice was left."],
  [{ undone: 0, skipped: 3 }, "Nothing was changed: 3 invoices were left untouched."],
  [
    { undone: 0, skipped: 0 },
    "Nothing was changed: this upload has no invoice in the books that was not undone already.",
  ],
])("an undo that came to %j says so", (counts, sentence) => {
  expect(runSentence({ action: "void", ...counts })).toBe(sentence);
});

test("an undo that found nothing names how many invoices may be in the books all the same", () => {
  const known = "Nothing was changed: no invoice of this upload is known to be in the books.";
  expect([0, 1, 2].map(nothingSentence)).toEqual([
    "Nothing was changed: this upload has no invoice in the books that was not undone already.",
    `${known} Of 1 invoice we do not know whether it was stored: look for it in QuickBooks.`,
    `${known} Of 2 invoices we do not know whether they were stored: look for them in QuickBooks.`,
  ]);
});
