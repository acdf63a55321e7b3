import type { BooksCtx } from "#features/books/ctx.ts";
import {
  FIRST_SYNC_TOKEN,
  isGone,
  detectChange,
  type GoneReason,
  type InvoiceChange,
} from "#integrations/intuit/detect-change.ts";

/** An invoice we posted. `syncToken` is of the version in which QuickBooks answered it. */
export type PostedInvoice = { qboId: string; syncToken: string | null };

/** As many as one call reads. A page is matched before the next is read: full invoices are held of one page only. */
const PAGE = 200;

/**
 * Reads what others did to posted invoices, or what else forbids to take them out of the books.
 * @param asked.closedThrough last day of the closed period, YYYY-MM-DD
 * @returns by their ids in QuickBooks; null for one that is as we posted it
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

/** Status of a posted invoice: it is there, or others took it out of the books. */
export type BooksStatus = "there" | GoneReason;

/** Reads the status of posted invoices, by their ids in QuickBooks. */
export async function readBooksStatus(
  ctx: BooksCtx,
  realmId: string,
  posted: readonly PostedInvoice[],
): Promise<Map<string, BooksStatus>> {
  const changes = await readChanges(ctx, realmId, { posted, closedThrough: null });
  return new Map([...changes].map(([id, change]) => [id, isGone(change) ? change : "there"]));
}

/** Last day of the closed period, YYYY-MM-DD; null when the books are open. */
export async function readClosedThrough(ctx: BooksCtx, realmId: string): Promise<string | null> {
  const { data } = await ctx.books(realmId).preferences();
  return data.AccountingInfoPrefs.BookCloseDate ?? null;
}
