import type { BooksInvoice, Intuit } from "../../support/intuit.ts";
import type { InvoiceRow } from "../../support/workbooks.ts";

/** No limit of the vendor slows a battery that is about something else. */
export const NO_LIMITS = {
  perMinute: null,
  perSecond: null,
  batchPerMinute: null,
  batchPerMinuteRealm: null,
  atOnce: null,
};

export const liftLimits = (intuit: Intuit, realmId: string) =>
  intuit.control(`companies/${realmId}`, { limits: NO_LIMITS }, "PATCH");

/**
 * Invoices of one line each, every one of another amount, so that a missing one and a doubled one both show.
 * @param prefix of the numbers; empty where QuickBooks gives them
 * @param firstCents amount of the first; each next is a cent more
 */
export function invoiceRows(
  count: number,
  { prefix, firstCents = 1_000 }: { prefix: string; firstCents?: number },
): InvoiceRow[] {
  return Array.from({ length: count }, (_, index) => ({
    "Invoice No": prefix ? `${prefix}-${index + 1}` : "",
    Customer: index % 2 === 0 ? "Cool Cars" : "Red Rock Diner",
    "Invoice Date": "2026-11-02",
    Item: "Claw Hammer",
    Qty: 1,
    Rate: (firstCents + index) / 100,
    Amount: (firstCents + index) / 100,
  }));
}

/** What the books hold of the amounts that were sent: how many of them never, once, and more than once. */
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
