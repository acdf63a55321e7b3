import { expect, test } from "vitest";
import { detectChange } from "#integrations/intuit/detect-change.ts";

const POSTED = { syncToken: "0" };
const FOUND = { Id: "7", SyncToken: "0", TotalAmt: 50, Balance: 50, TxnDate: "2026-11-02", Line: [] };
const findReason = (change: object, closed: string | null = null) =>
  detectChange(POSTED, { ...FOUND, ...change }, closed);

test("an unchanged invoice may be undone", () => {
  expect(findReason({})).toBeNull();
  expect(findReason({ LinkedTxn: [{ TxnId: "3", TxnType: "Estimate" }] })).toBeNull();
  expect(findReason({ PrivateNote: "Voided goods, see letter" })).toBeNull();
  expect(findReason({ TotalAmt: 0, Balance: 0 })).toBeNull();
  // As a difference of two fractions, the balance would be more than it is.
  expect(findReason({ TotalAmt: 50.02, Deposit: 0.3, Balance: 49.72 })).toBeNull();
  expect(findReason({ Deposit: 50, Balance: 0 })).toBeNull();
});

test.each([
  ["an open part smaller than the total", { Balance: 49.99 }, "paid"],
  ["a payment besides the deposit", { Deposit: 20, Balance: 29.99 }, "paid"],
  ["a payment that left the open part alone", { LinkedTxn: [{ TxnId: "3", TxnType: "Payment" }] }, "paid"],
  ["a credit", { LinkedTxn: [{ TxnId: "3", TxnType: "CreditMemo" }] }, "paid"],
  ["a payment and an edit", { SyncToken: "2", Balance: 0 }, "paid"],
  ["an edit", { SyncToken: "1" }, "edited"],
  ["a void", { SyncToken: "1", TotalAmt: 0, Balance: 0, PrivateNote: "Voided" }, "voided"],
  ["an edit to nothing", { SyncToken: "1", TotalAmt: 0, Balance: 0 }, "edited"],
] as const)("%s holds back an undo", (_name, change, reason) => {
  expect(findReason(change)).toBe(reason);
});

test("an invoice that is missing was deleted by others", () => {
  expect(detectChange(POSTED, undefined, null)).toBe("deleted");
});

test("the last closed day is closed, the day after it is open", () => {
  expect(findReason({}, "2026-11-01")).toBeNull();
  expect(findReason({}, "2026-11-02")).toBe("closed_period");
});
