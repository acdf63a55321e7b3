import type { Invoice } from "#integrations/intuit/wire.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import type { Standing } from "#features/invoices/plan/rules-repeats.ts";
import type { Earlier, EarlierEntry } from "#features/invoices/plan/store-earlier.ts";
import { FIRST_SYNC_TOKEN, isGone, judgeInvoice } from "#features/invoices/undo/rules.ts";

/** Of the very same file nothing is posted again in any case: of a long one the newest tell enough. */
const MOST_OF_SAME_FILE = 1_000;
/** As many as one call reads. A page is judged before the next is read: whole invoices are held of one page only. */
const PAGE = 200;
/**
 * Intuit promises nothing of how soon a query shows what was just written. What is missing from an answer within these
 * 10 minutes is not taken for deleted: posting it again would make it twice.
 */
const QUERY_LAG_MS = 10 * 60_000;

type Posted = EarlierEntry & { qboId: string };

/**
 * How posted invoices of earlier uploads stand in QuickBooks now, by their ids there. One that was not looked up, or
 * that a query may not show yet, is not among them.
 */
export async function findStanding(
  ctx: InvoicesCtx,
  realmId: string,
  { sameFile, equal }: Earlier,
): Promise<Map<string, Standing>> {
  const posted = [...postedOf(sameFile).slice(-MOST_OF_SAME_FILE), ...postedOf(equal)];
  const shownSince = new Date(ctx.clock.now().getTime() - QUERY_LAG_MS);
  const standing = new Map<string, Standing>();
  for (let start = 0; start < posted.length; start += PAGE) {
    const page = posted.slice(start, start + PAGE);
    const { data } = await ctx.books(realmId).findInvoicesById(page.map(({ qboId }) => qboId));
    const found = new Map(data.map((invoice) => [invoice.Id, invoice]));
    for (const entry of page) {
      const how = standingOf(entry, found.get(entry.qboId), shownSince);
      if (how) standing.set(entry.qboId, how);
    }
  }
  return standing;
}

const postedOf = (entries: readonly EarlierEntry[]): Posted[] =>
  entries.filter((entry): entry is Posted => entry.state === "posted" && entry.qboId !== null);

function standingOf(
  { docNumber, syncToken, settledAt }: Posted,
  found: Invoice | undefined,
  shownSince: Date,
): Standing | null {
  if (!found && (settledAt === null || settledAt > shownSince)) return null;
  const reason = judgeInvoice(
    { number: docNumber, syncToken: syncToken ?? FIRST_SYNC_TOKEN },
    found,
    null,
  )?.reason;
  return reason && isGone(reason) ? reason : "there";
}
