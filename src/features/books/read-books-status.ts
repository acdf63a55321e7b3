import type { BooksCtx } from "#features/books/ctx.ts";
import { readChanges, type PostedInvoice } from "#features/books/read-changes.ts";
import { isGone, type GoneReason } from "#integrations/intuit/judge-invoice.ts";

/** What became of a posted invoice: it is there, or others took it out of the books. */
export type BooksStatus = "there" | GoneReason;

/** Reads what became of posted invoices, by their ids in QuickBooks. */
export async function readBooksStatus(
  ctx: BooksCtx,
  realmId: string,
  posted: readonly PostedInvoice[],
): Promise<Map<string, BooksStatus>> {
  const changes = await readChanges(ctx, realmId, { posted, closedThrough: null });
  return new Map([...changes].map(([id, change]) => [id, isGone(change) ? change : "there"]));
}
