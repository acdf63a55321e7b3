import type { BooksCtx } from "#features/books/ctx.ts";
import { unreadableBooks } from "#features/books/errors.ts";
import { isVoided } from "#integrations/intuit/detect-change.ts";
import { decimalToCents } from "#platform/money.ts";
import { DAY_MS } from "#platform/time.ts";

type OfOrder = {
  poNumber: string;
  customer: string;
  /** First day of its invoices, YYYY-MM-DD. */
  since: string;
  /** Of all its packages. */
  trackingNumbers: readonly string[];
};

/** An invoice in the books; `trackingNumbers` are those of the order that it names. */
export type InvoiceOfPo = {
  id: string;
  number: string;
  date: string;
  totalCents: number;
  trackingNumbers: readonly string[];
};

/** QuickBooks' clock and a user's date may be a day ahead. */
const AHEAD_DAYS = 2;
/** Invoices of longer ago are not compared. */
const BACK_MS = 400 * DAY_MS;

/**
 * Finds invoices in the books that name one of an order's packages, or have its PO number, in a custom field or as their number, by
 * that number. Voided ones bill nothing. One metered call for 200 customers.
 * @throws AppError 409 or 503 if the books can't be read
 */
export async function findInvoicesOfPo(
  ctx: BooksCtx,
  { realmId, orders }: { realmId: string; orders: readonly OfOrder[] },
): Promise<ReadonlyMap<string, readonly InvoiceOfPo[]>> {
  const byPo = new Map<string, InvoiceOfPo[]>();
  const [first] = orders.map(({ since }) => since).toSorted();
  if (first === undefined) return byPo;
  const now = ctx.clock.now().getTime();
  const start = Math.max(Date.parse(first), now - BACK_MS);
  const days: string[] = [];
  for (let day = start; day <= now + AHEAD_DAYS * DAY_MS; day += DAY_MS)
    days.push(new Date(day).toISOString().slice(0, 10));
  const customers = [...new Set(orders.map(({ customer }) => customer))];
  const since = new Date(now - BACK_MS);
  const { data } = await ctx
    .books(realmId)
    .findInvoicesOnDays({ customers, days, since })
    .catch((error: unknown) => {
      throw unreadableBooks(error, { what: "invoices" });
    });
  const poOf = new Map(orders.map(({ poNumber }) => [fold(poNumber), poNumber]));
  const byTracking = orders.flatMap(({ poNumber, trackingNumbers }) =>
    trackingNumbers.map((trackingNumber) => ({ poNumber, trackingNumber })),
  );
  for (const invoice of data) {
    if (isVoided(invoice)) continue;
    const { Id: id, DocNumber: number = "", TxnDate: date = "", TotalAmt, CustomField = [] } = invoice;
    const tracking = invoice.TrackingNum?.toUpperCase() ?? "";
    const packages = byTracking.filter(({ trackingNumber }) => tracking.includes(trackingNumber));
    const texts = [number, ...CustomField.map(({ StringValue }) => StringValue ?? "")];
    const po =
      packages[0]?.poNumber ?? texts.map((text) => poOf.get(fold(text))).find((found) => found !== undefined);
    if (po === undefined) continue;
    const trackingNumbers = packages.map(({ trackingNumber }) => trackingNumber);
    const found = { id, number, date, totalCents: decimalToCents(TotalAmt), trackingNumbers };
    byPo.set(po, [...(byPo.get(po) ?? []), found]);
  }
  return byPo;
}

/** PO numbers are typed with and without leading zeros. */
const fold = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replace(/^0+(?=.)/, "");
