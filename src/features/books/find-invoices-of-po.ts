import type { BooksCtx } from "#features/books/ctx.ts";
import { unreadableBooks } from "#features/books/errors.ts";
import { isVoided } from "#integrations/intuit/detect-change.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import { decimalToCents } from "#platform/money.ts";
import { DAY_MS } from "#platform/time.ts";

type OfOrder = {
  poNumber: string;
  /** Null for any. */
  customer: string | null;
  /** First day of its invoices, YYYY-MM-DD. */
  since: string;
  /** Tracking numbers of all packages of the order. */
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
 * Finds invoices in the books that name one of an order's packages, or have its PO number and its customer, the number in a custom
 * field or as their own. Voided ones bill nothing. One metered call for 200 customers, or for 1,000 invoices of any.
 * @returns those of each order, in the order of the orders
 * @throws AppError 409 or 503 if the books can't be read
 */
export async function findInvoicesOfPo(
  ctx: BooksCtx,
  { realmId, orders }: { realmId: string; orders: readonly OfOrder[] },
): Promise<(readonly InvoiceOfPo[])[]> {
  const [first] = orders.map(({ since }) => since).toSorted();
  if (first === undefined) return [];
  const now = ctx.clock.now().getTime();
  const start = Math.max(Date.parse(first), now - BACK_MS);
  const days: string[] = [];
  for (let day = start; day <= now + AHEAD_DAYS * DAY_MS; day += DAY_MS)
    days.push(new Date(day).toISOString().slice(0, 10));
  const customers = orders.some(({ customer }) => customer === null)
    ? null
    : [...new Set(orders.flatMap(({ customer }) => customer ?? []))];
  const data = await readInvoices(ctx, realmId, { customers, days, since: new Date(now - BACK_MS) });
  const keys = orders.map(({ customer, poNumber }) => nameKey(customer ?? ANY, poNumber));
  const known = new Set(keys);
  const byTracking = orders.flatMap(({ trackingNumbers }, at) =>
    trackingNumbers.map((trackingNumber) => ({ key: keys[at] ?? "", trackingNumber })),
  );
  const found = Map.groupBy(
    data.flatMap((invoice) => {
      if (isVoided(invoice)) return [];
      const { Id: id, DocNumber: number = "", TxnDate: date = "", TotalAmt, CustomField = [] } = invoice;
      const tracking = invoice.TrackingNum?.toUpperCase() ?? "";
      const packages = byTracking.filter(({ trackingNumber }) => tracking.includes(trackingNumber));
      const texts = [number, ...CustomField.map(({ StringValue }) => StringValue ?? "")];
      const named = [invoice.CustomerRef?.value ?? "", ANY].flatMap((customer) =>
        texts.map((text) => nameKey(customer, text)),
      );
      const key = packages[0]?.key ?? named.find((each) => known.has(each));
      const trackingNumbers = packages.map(({ trackingNumber }) => trackingNumber);
      const totalCents = decimalToCents(TotalAmt);
      return key === undefined ? [] : [{ key, id, number, date, totalCents, trackingNumbers }];
    }),
    ({ key }) => key,
  );
  return keys.map((key) => found.get(key) ?? []);
}

type Where = { customers: readonly string[] | null; days: readonly string[]; since: Date };

async function readInvoices(
  ctx: BooksCtx,
  realmId: string,
  { customers, days, since }: Where,
): Promise<Invoice[]> {
  const books = ctx.books(realmId);
  try {
    if (customers) return (await books.findInvoicesOnDays({ customers, days, since })).data;
    const found: Invoice[] = [];
    for await (const { data } of books.findInvoicesDatedSince(days[0] ?? "")) found.push(...data);
    return found;
  } catch (error) {
    throw unreadableBooks(error, { what: "invoices" });
  }
}

const ANY = "any";

/** PO numbers are typed with and without leading zeros. Two customers may have the same one. */
const nameKey = (customer: string, poNumber: string): string =>
  `${customer} ${poNumber
    .trim()
    .toUpperCase()
    .replace(/^0+(?=.)/, "")}`;
