import type { Invoice } from "#integrations/intuit/wire.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { hasSameMoney, readAnswer } from "#features/invoices/post/rules-answer.ts";
import { unknownSentence } from "#features/invoices/post/rules-refusals.ts";
import { hasSameItems, isWhollySame } from "#features/invoices/post/rules-same.ts";
import { findClaimedIds, findOpenOfCustomer, findRivals } from "#features/invoices/post/store-claims.ts";
import type { Sending, Settlement } from "#features/invoices/post/store-ledger.ts";
import type { UploadId } from "#features/invoices/store.ts";

/** What is older than the first send, by more than any clock may be wrong, is not even asked for. */
const CLOCKS_DIFFER_MS = 3_600_000;
/** Clocks of well-kept machines differ by less. What was made at another time than we sent is not taken for ours. */
const MADE_WITHIN_MS = 5 * 60_000;

/** `unsure`: something in the books may be it. */
export type Looked = { kind: "none" } | { kind: "unsure" } | { kind: "ours"; settlement: Settlement };

/**
 * Looks for an invoice that may have been made. With a number, the only one that agrees in number, customer, date,
 * amount and lines and belongs to no other ledger row is ours; without one it must agree in all that was sent, and no
 * other ledger row of unknown end may be it too.
 */
export async function lookInBooks(ctx: InvoicesCtx, upload: UploadId, invoice: Sending): Promise<Looked> {
  const { key, draft, amountCents } = invoice;
  const traits = { ...traitsOf(invoice), txnDate: draft.TxnDate, totalCents: amountCents };
  const { data } = await ctx.books(upload.realmId).findInvoices(traits);
  const found = await unclaimed(ctx, upload, data);
  if (found.length === 0) return { kind: "none" };
  const ours = await pickOurs(ctx, upload, { invoice, found });
  // To take somebody else's invoice for ours would let an undo delete it.
  if (!ours) return { kind: "unsure" };
  return { kind: "ours", settlement: { key, state: "posted", message: "", ...readAnswer(invoice, ours) } };
}

async function pickOurs(
  ctx: InvoicesCtx,
  upload: UploadId,
  { invoice, found }: { invoice: Sending; found: readonly Invoice[] },
): Promise<Invoice | null> {
  if (invoice.docNumber) {
    const [only, ...others] = found;
    return only && others.length === 0 && isOursByNumber(invoice, only) ? only : null;
  }
  const [only, ...others] = found.filter((one) => isMadeInTime(invoice, one) && isWhollySame(invoice, one));
  if (!only || others.length > 0) return null;
  const rivals = await findRivals(ctx.db, upload, invoice);
  const mayBeTheirs = rivals.some(
    (rival) => (!rival.docNumber || rival.docNumber === only.DocNumber) && isWhollySame(rival, only),
  );
  return mayBeTheirs ? null : only;
}

/** Whether an invoice of the same number, customer and day is the one that was sent. */
export const isOursByNumber = (invoice: Sending, found: Invoice): boolean =>
  isMadeInTime(invoice, found) && hasSameMoney(readAnswer(invoice, found));

/**
 * What was made when nothing of ours was under way is by hand: a person who waited for it, or was told to look, may have
 * entered it.
 */
export function isMadeInTime({ sentAt, lastSentAt, resentAt }: Sending, { MetaData }: Invoice): boolean {
  if (MetaData?.CreateTime === undefined) return true;
  const made = Date.parse(MetaData.CreateTime);
  const from = sentAt.getTime() - MADE_WITHIN_MS;
  const until = (lastSentAt ?? sentAt).getTime() + MADE_WITHIN_MS;
  const isOfThisRun = resentAt !== null && made >= resentAt.getTime() - MADE_WITHIN_MS;
  return (made >= from && made <= until) || isOfThisRun;
}

/**
 * Looks for an invoice that may have been made. @returns it as posted when it is surely ours, as unknown when something
 * in the books may be it, null when nothing there is like it
 */
export async function findInBooks(
  ctx: InvoicesCtx,
  upload: UploadId,
  invoice: Sending,
): Promise<Settlement | null> {
  const looked = await lookInBooks(ctx, upload, invoice);
  if (looked.kind === "none") return null;
  return looked.kind === "ours" ? looked.settlement : unknown(invoice);
}

/**
 * Whether the books hold an invoice of the same customer, and number if it has one, that was made since and belongs to
 * no ledger row. QuickBooks, or a person, may have changed its day and its money since.
 */
export async function isMaybeInBooks(ctx: InvoicesCtx, upload: UploadId, invoice: Sending): Promise<boolean> {
  const { data } = await ctx.books(upload.realmId).findInvoices(traitsOf(invoice));
  return (await unclaimed(ctx, upload, data)).length > 0;
}

/**
 * Looks for an invoice that QuickBooks said it failed to make. `none`: nothing was made since that may be it, not even
 * with other money than was sent. What is wholly what another row of unknown end sent, and not what this one did, is
 * that row's.
 */
export async function lookBeforeSending(
  ctx: InvoicesCtx,
  upload: UploadId,
  invoice: Sending,
): Promise<Looked> {
  // Asked first: what is made while we look is then found by the closer look, and never taken for a stranger.
  const traits = { ...traitsOf(invoice), txnDate: invoice.draft.TxnDate };
  const { data } = await ctx.books(upload.realmId).findInvoices(traits);
  const looked = await lookInBooks(ctx, upload, invoice);
  if (looked.kind === "ours") return looked;
  // Read before the claims: what is settled meanwhile is among the one or the other.
  const open = await findOpenOfCustomer(ctx.db, upload, invoice);
  const isTheirs = (one: Invoice) =>
    !isWhollySame(invoice, one) && open.some((other) => isWhollySame(other, one));
  const left = (await unclaimed(ctx, upload, data)).filter(
    (one) => isMadeInTime(invoice, one) && hasSameItems(invoice.draft, one) && !isTheirs(one),
  );
  return { kind: left.length === 0 ? "none" : "unsure" };
}

export const unknown = ({ key, docNumber, draft }: Sending): Settlement => ({
  key,
  state: "unknown",
  message: unknownSentence({ docNumber, txnDate: draft.TxnDate }),
});

const traitsOf = ({ docNumber, draft, sentAt }: Sending) => ({
  docNumber,
  customerId: draft.CustomerRef.value,
  madeAfter: new Date(sentAt.getTime() - CLOCKS_DIFFER_MS),
});

/** Those that belong to no ledger row yet. */
export async function unclaimed(
  ctx: InvoicesCtx,
  { realmId }: UploadId,
  found: readonly Invoice[],
): Promise<Invoice[]> {
  if (found.length === 0) return [];
  const claimed = await findClaimedIds(
    ctx.db,
    realmId,
    found.map(({ Id }) => Id),
  );
  return found.filter(({ Id }) => !claimed.has(Id));
}
