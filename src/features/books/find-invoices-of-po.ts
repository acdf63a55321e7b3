import type { BooksCtx } from "#features/books/ctx.ts";
import { unreadableBooks } from "#features/books/errors.ts";
import { decimalToCents } from "#platform/money.ts";
import { DAY_MS } from "#platform/time.ts";

type OfOrder = { poNumber: string; customer: string; since: string };
type Found = { id: string; number: string; date: string; totalCents: number };

/** QuickBooks' clock and a user's date may be a day ahead. */
const AHEAD_DAYS = 2;
/** Invoices of longer ago are not compared. */
const BACK_MS = 400 * DAY_MS;

/**
 * Finds invoices in the books that have the PO number of an order, in a custom field or as their number, by that number. One
 * metered call for 200 customers.
 * @throws AppError 409 or 503 if the books can't be read
 */
export async function findInvoicesOfPo(
  ctx: BooksCtx,
  { realmId, orders }: { realmId: string; orders: readonly OfOrder[] },
): Promise<ReadonlyMap<string, Found[]>> {
  const byPo = new Map<string, Found[]>();
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
  for (const { Id: id, DocNumber: number = "", TxnDate: date = "", TotalAmt, CustomField = [] } of data) {
    const texts = [number, ...CustomField.map(({ StringValue }) => StringValue ?? "")];
    const po = texts.map((text) => poOf.get(fold(text))).find((one) => one !== undefined);
    if (po === undefined) continue;
    const found = { id, number, date, totalCents: decimalToCents(TotalAmt) };
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
