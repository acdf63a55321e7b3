import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { Standing } from "#features/invoices/plan/rules-repeats.ts";
import type { Earlier, EarlierEntry } from "#features/invoices/plan/store-earlier.ts";
import { FIRST_SYNC_TOKEN, isGone, judgeInvoice } from "#integrations/intuit/judge-invoice.ts";

/** Of the very same file nothing is posted again in any case: of a long one the newest tell enough. */
const MOST_OF_SAME_FILE = 1_000;
/** As many as one call reads. A page is judged before the next is read: whole invoices are held of one page only. */
const PAGE = 200;

type Posted = EarlierEntry & { qboId: string };

/**
 * How posted invoices of earlier uploads stand in QuickBooks now, by their ids there. One that was not looked up is not
 * among them.
 */
export async function findStanding(
  ctx: InvoicesCtx,
  realmId: string,
  { sameFile, equal }: Earlier,
): Promise<Map<string, Standing>> {
  const posted = [...postedOf(sameFile).slice(-MOST_OF_SAME_FILE), ...postedOf(equal)];
  const standing = new Map<string, Standing>();
  for (let start = 0; start < posted.length; start += PAGE) {
    const page = posted.slice(start, start + PAGE);
    const { data } = await ctx.books(realmId).findInvoicesById(page.map(({ qboId }) => qboId));
    const found = new Map(data.map((invoice) => [invoice.Id, invoice]));
    for (const entry of page) {
      const reason = judgeInvoice(
        { syncToken: entry.syncToken ?? FIRST_SYNC_TOKEN },
        found.get(entry.qboId),
        null,
      );
      standing.set(entry.qboId, isGone(reason) ? reason : "there");
    }
  }
  return standing;
}

const postedOf = (entries: readonly EarlierEntry[]): Posted[] =>
  entries.filter((entry): entry is Posted => entry.state === "posted" && entry.qboId !== null);
