import type { BooksCtx } from "#features/books/ctx.ts";
import {
  FIRST_SYNC_TOKEN,
  isGone,
  detectChange,
  type GoneReason,
  type InvoiceChange,
} from "#integrations/intuit/detect-change.ts";

/** An invoice we posted. `syncToken` is the version QuickBooks answered with. */
export type PostedInvoice = { qboId: string; syncToken: string | null };

/**
 * Read limit of one call. Each page is matched before the next is read, so that only one page of
 * full invoices is in memory.
 */
const PAGE = 200;

/**
 * Reads other users' changes to posted invoices, and anything else that forbids removing them from
 * the books.
 * @param asked.closedThrough last day of the closed period, YYYY-MM-DD
 * @returns by QuickBooks id; null for an unchanged invoice
 */
export async function readChanges(
  ctx: BooksCtx,
  realmId: string,
  { posted, closedThrough }: { posted: readonly PostedInvoice[]; closedThrough: string | null },
): Promise<Map<string, InvoiceChange | null>> {
  const changes = new Map<string, InvoiceChange | null>();
  for (let start = 0; start < posted.length; start += PAGE) {
    const page = posted.slice(start, start + PAGE);
    const { data } = await ctx.books(realmId).findInvoicesById(page.map(({ qboId }) => qboId));
    const found = new Map(data.map((invoice) => [invoice.Id, invoice]));
    for (const { qboId, syncToken } of page) {
      const version = { syncToken: syncToken ?? FIRST_SYNC_TOKEN };
      changes.set(qboId, detectChange(version, found.get(qboId), closedThrough));
    }
  }
  return changes;
}

/** Status of a posted invoice: present, or removed from the books by others. */
export type BooksStatus = "there" | GoneReason;

/** Reads the status of posted invoices by QuickBooks id. */
export async function readBooksStatus(
  ctx: BooksCtx,
  realmId: string,
  posted: readonly PostedInvoice[],
): Promise<Map<string, BooksStatus>> {
  const changes = await readChanges(ctx, realmId, { posted, closedThrough: null });
  return new Map([...changes].map(([id, change]) => [id, isGone(change) ? change : "there"]));
}

/** Reads the last day of the closed period, YYYY-MM-DD; null if the books are open. */
export async function readClosedThrough(ctx: BooksCtx, realmId: string): Promise<string | null> {
  const { data } = await ctx.books(realmId).preferences();
  return data.AccountingInfoPrefs.BookCloseDate ?? null;
}
