import type { IntuitError } from "#integrations/intuit/errors.ts";
import type { Invoice } from "#integrations/intuit/wire.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { hasSameMoney, readAnswer } from "#features/invoices/rules-answer.ts";
import { alteredSentence, refusalSentence, unknownSentence } from "#features/invoices/rules-refusals.ts";
import { findClaimedIds, type Sending, type Settlement } from "#features/invoices/store-ledger.ts";

/** What is older than the first send, by more than any clock may be wrong, is somebody else's though it looks alike. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** `unsure`: something in the books may be it. */
export type Looked = { kind: "none" } | { kind: "unsure" } | { kind: "ours"; settlement: Settlement };

type Company = { realmId: string };

/**
 * Looks for an invoice that may have been made: the only one that agrees in number, customer, date, amount and lines
 * and belongs to no other ledger row is ours.
 */
export async function lookInBooks(ctx: InvoicesCtx, company: Company, invoice: Sending): Promise<Looked> {
  const { key, draft, amountCents } = invoice;
  const traits = { ...traitsOf(invoice), txnDate: draft.TxnDate, totalCents: amountCents };
  const { data } = await ctx.books(company.realmId).findInvoices(traits);
  const [first, ...others] = await unclaimed(ctx, company, data);
  if (!first) return { kind: "none" };
  const answer = readAnswer(invoice, first);
  // To take somebody else's invoice for ours would let an undo delete it.
  if (others.length > 0 || !hasSameMoney(answer)) return { kind: "unsure" };
  return { kind: "ours", settlement: { key, state: "posted", message: "", ...answer } };
}

/**
 * Looks for an invoice that may have been made. @returns it as posted when it is surely ours, as unknown when something
 * in the books may be it, null when nothing there is like it
 */
export async function findInBooks(
  ctx: InvoicesCtx,
  company: Company,
  invoice: Sending,
): Promise<Settlement | null> {
  const looked = await lookInBooks(ctx, company, invoice);
  if (looked.kind === "none") return null;
  return looked.kind === "ours" ? looked.settlement : unknown(invoice);
}

/**
 * Judges a number that QuickBooks calls taken when the invoice may have been made before: it may be taken by itself,
 * also where QuickBooks keeps another rate or total than was sent. To call that somebody else's would have a person
 * change the number and post it twice.
 */
export async function judgeClash(
  ctx: InvoicesCtx,
  company: Company,
  { invoice, error }: { invoice: Sending; error: IntuitError },
): Promise<Settlement> {
  const settled = await findInBooks(ctx, company, invoice);
  if (settled) return settled;
  const { data } = await ctx.books(company.realmId).findInvoices(traitsOf(invoice));
  const { key, docNumber } = invoice;
  if ((await unclaimed(ctx, company, data)).length > 0)
    return { key, state: "unknown", message: alteredSentence(docNumber), tid: error.tid };
  return { key, state: "rejected", message: refusalSentence(docNumber, error), tid: error.tid };
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
async function unclaimed(
  ctx: InvoicesCtx,
  { realmId }: Company,
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
