import type { BooksInvoice } from "../../support/intuit.ts";
import type { InvoiceRow } from "../../support/workbooks.ts";

/** Counts the sent amounts in the books: how many are there never, once, and more than once. */
export function compareBooks(made: readonly BooksInvoice[], rows: readonly InvoiceRow[]) {
  const times = new Map<number, number>();
  for (const { TotalAmt } of made) {
    const cents = Math.round(TotalAmt * 100);
    times.set(cents, (times.get(cents) ?? 0) + 1);
  }
  const wanted = rows.map(({ Amount }) => Math.round(Number(Amount) * 100));
  const counts = wanted.map((cents) => times.get(cents) ?? 0);
  return {
    once: counts.filter((count) => count === 1).length,
    missing: counts.filter((count) => count === 0).length,
    doubled: counts.filter((count) => count > 1).length,
    strangers: made.length - counts.reduce((sum, count) => sum + count, 0),
  };
}
