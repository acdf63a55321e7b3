import { expect, test } from "vitest";
import { nothingSentence } from "#features/invoices/results/sentences-runs.ts";
import { leftBecause, runSentence } from "#features/invoices/undo/rules.ts";

test.each([
  [{ undone: 2, skipped: 0 }, "2 invoices were voided."],
  [{ undone: 1, skipped: 1 }, "1 invoice was voided, and 1 invoice was kept."],
  [{ undone: 0, skipped: 3 }, "No invoices were changed: 3 invoices were kept."],
  [{ undone: 0, skipped: 0 }, "No invoices were changed: everything this upload posted is undone already."],
])("an undo that ended in %j says so", (counts, sentence) => {
  expect(runSentence({ action: "void", ...counts })).toBe(sentence);
});

test("an undo that found nothing says how many invoices may still be in the books", () => {
  const known = "No invoices were changed: none of this upload is known to be in QuickBooks.";
  expect([0, 1, 2].map(nothingSentence)).toEqual([
    "No invoices were changed: everything this upload posted is undone already.",
    `${known} For 1 invoice, we don't know whether it was stored. Look for it in QuickBooks.`,
    `${known} For 2 invoices, we don't know whether they were stored. Look for them in QuickBooks.`,
  ]);
});

test("an invoice that an undo leaves says why", () => {
  expect(leftBecause("deleted", { number: "1043" })).toEqual({
    reason: "deleted",
    sentence: "Invoice 1043 was already deleted in QuickBooks.",
  });
  // The Tracking Service writes ship date, service and freight: no user need have changed it.
  expect(leftBecause("edited", { number: "1043" }).sentence).toBe(
    "Invoice 1043 was changed in QuickBooks after it was posted, by a user or by the Tracking Service, so we left it alone. Void or delete it there if you want it gone.",
  );
});
