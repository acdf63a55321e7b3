import type { BooksCtx } from "#features/books/ctx.ts";
import {
  FIRST_SYNC_TOKEN,
  isGone,
  judgeInvoice,
  type GoneReason,
} from "#integrations/intuit/judge-invoice.ts";

/** What became of a posted invoice: it is there, or others took it out of the books. */
export type BooksStatus = "there" | GoneReason;

/** As many as one call reads. A page is judged before the next is read: full invoices are held of one page only. */
const PAGE = 200;

/** Reads what became of posted invoices. @param posted `syncToken` of the version in which QuickBooks answered them */
export async function readBooksStatus(
  ctx: BooksCtx,
  realmId: string,
  posted: readonly { qboId: string; syncToken: string | null }[],
): Promise<Map<string, BooksStatus>> {
  const status = new Map<string, BooksStatus>();
  for (let start = 0; start < posted.length; start += PAGE) {
    const page = posted.slice(start, start + PAGE);
    const { data } = await ctx.books(realmId).findInvoicesById(page.map(({ qboId }) => qboId));
    const found = new Map(data.map((invoice) => [invoice.Id, invoice]));
    for (const { qboId, syncToken } of page) {
      const change = judgeInvoice({ syncToken: syncToken ?? FIRST_SYNC_TOKEN }, found.get(qboId), null);
      status.set(qboId, isGone(change) ? change : "there");
    }
  }
  return status;
}
