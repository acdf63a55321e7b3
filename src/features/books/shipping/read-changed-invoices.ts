import type { BooksCtx } from "#features/books/ctx.ts";
import { earliestAt } from "#features/books/rules-match.ts";
import { toBooksInvoice, type BooksInvoice } from "#features/books/shipping/rules.ts";
import { CHANGES_KEPT_MS } from "#integrations/intuit/read-invoice-changes.ts";
import { DAY_MS } from "#platform/time.ts";

/** Invoices that others or we changed. Those of the minutes before may come again. */
export type ChangedInvoices = {
  invoices: BooksInvoice[];
  /** Ids of deleted invoices. */
  deleted: string[];
};

/** Intuit doesn't specify when a change shows; three minutes have been seen. */
const OVERLAP_MS = 10 * 60_000;
/** Changes are asked for as long as Intuit certainly has them. */
const RECENT_MS = CHANGES_KEPT_MS - DAY_MS;

/**
 * Reads what changed in a company's invoices since the last read, in one metered call: only more than a thousand changes, or
 * a month without a read, need a call for each thousand. Those don't show deletions; an update of a deleted invoice does.
 * @param since `readUntil` of the last read
 * @param take receives the changes, a thousand at most; called again until all are read
 * @returns `readUntil` of this read, by Intuit's clock
 * @throws IntuitError
 */
export async function readChangedInvoices(
  ctx: BooksCtx,
  { realmId, since }: { realmId: string; since: Date },
  take: (changed: ChangedInvoices) => Promise<void>,
): Promise<Date> {
  const books = ctx.books(realmId);
  const startedAt = ctx.clock.now();
  const from = new Date(since.getTime() - OVERLAP_MS);
  let readUntil: Date | null = null;
  if (from.getTime() > startedAt.getTime() - RECENT_MS) {
    const { data } = await books.readInvoiceChanges(from);
    await take({ invoices: data.invoices.map(toBooksInvoice), deleted: data.deleted });
    readUntil = data.time ?? earliestAt(books, startedAt);
    if (!data.isTruncated) return readUntil;
  }
  for await (const { data } of books.findInvoicesUpdatedSince(from))
    await take({ invoices: data.map(toBooksInvoice), deleted: [] });
  return readUntil ?? earliestAt(books, startedAt);
}

/**
 * Reads a company's invoices of a day or later, a thousand a metered call.
 * @param day YYYY-MM-DD
 * @param take receives each page; an invoice may come twice
 * @returns the moment from which `readChangedInvoices` goes on, by Intuit's clock
 * @throws IntuitError
 */
export async function readInvoicesSince(
  ctx: BooksCtx,
  { realmId, day }: { realmId: string; day: string },
  take: (invoices: BooksInvoice[]) => Promise<void>,
): Promise<Date> {
  const books = ctx.books(realmId);
  const startedAt = ctx.clock.now();
  for await (const { data } of books.findInvoicesDatedSince(day)) await take(data.map(toBooksInvoice));
  return earliestAt(books, startedAt);
}

/**
 * Reads whether QuickBooks keeps shipping fields. A company that never changed the setting has no value.
 * @throws IntuitError
 */
export async function readShippingPreference(
  ctx: BooksCtx,
  realmId: string,
): Promise<"on" | "off" | "unknown"> {
  const { data } = await ctx.books(realmId).preferences();
  const allowed = data.SalesFormsPrefs.AllowShipping;
  return allowed === undefined ? "unknown" : allowed ? "on" : "off";
}
