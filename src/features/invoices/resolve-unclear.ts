import { IntuitError, type IntuitErrorKind } from "#integrations/intuit/errors.ts";
import { assertHeld, type InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { readAnswer } from "#features/invoices/rules-answer.ts";
import { endOf } from "#features/invoices/rules-end.ts";
import { refusalSentence } from "#features/invoices/rules-refusals.ts";
import type { Unclear } from "#features/invoices/settle-batch.ts";
import { findClaimedIds, type Held, type Sending, type Settlement } from "#features/invoices/store-ledger.ts";

/** Tries of a single create; each is a replay, since all carry the ledger row's own requestid. */
const REPLAY_AFTER_MS = [1_000, 4_000, 15_000];

/** What is older than the first send, by more than any clock may be wrong, is somebody else's though it looks alike. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** Failures after which an invoice may or may not be in the books. */
const UNCLEAR: ReadonlySet<IntuitErrorKind> = new Set(["uncertain", "network", "system"]);

/**
 * Finds out what became of an invoice whose batch did not say that it is in the books. First it is looked for there: the
 * only invoice that agrees in number, customer, date, amount and lines and belongs to no other ledger row is ours. It is
 * sent again, alone and under its own requestid, only when nothing in the books is like it and QuickBooks has said that
 * it failed to make it; a second send would be a guess otherwise.
 * @param unclear.fault what QuickBooks said of this invoice, null when it said nothing
 * @returns null when it stays open: the same batch must be asked for again later
 */
export async function resolveUnclear(
  ctx: InvoicesCtx,
  upload: Held,
  { entry: invoice, fault }: Unclear<Sending>,
): Promise<Settlement | null> {
  const looked = await lookInBooks(ctx, upload, invoice);
  if (looked.kind === "ours") return looked.settlement;
  // Nothing of ours answers to this number, so the clash is with somebody else's invoice.
  if (fault?.kind === "duplicateDoc") return rejection(invoice, fault);
  if (looked.kind === "unsure" || !saysFailed(fault)) return null;
  for (const wait of [...REPLAY_AFTER_MS, null]) {
    const settled = (await sendAlone(ctx, upload, invoice)) ?? (await findInBooks(ctx, upload, invoice));
    if (settled) return settled;
    if (wait !== null) await ctx.clock.sleep(wait);
  }
  return { key: invoice.key, state: "unknown", message: unknownSentence(invoice) };
}

/** Whether QuickBooks said that it failed to make the invoice. */
const saysFailed = (fault: IntuitError | null) => fault?.kind === "system" || fault?.kind === "throttled";

const rejection = ({ key, docNumber }: Sending, error: IntuitError): Settlement => ({
  key,
  state: "rejected",
  message: refusalSentence(docNumber, error),
  tid: error.tid,
});

/**
 * Looks for an invoice that may have been made. @returns it as posted when it is surely ours, as unknown when something
 * in the books may be it, null when nothing there is like it
 */
export async function findInBooks(
  ctx: InvoicesCtx,
  company: { realmId: string },
  invoice: Sending,
): Promise<Settlement | null> {
  const looked = await lookInBooks(ctx, company, invoice);
  if (looked.kind === "none") return null;
  if (looked.kind === "ours") return looked.settlement;
  return { key: invoice.key, state: "unknown", message: unknownSentence(invoice) };
}

type Looked = { kind: "none" } | { kind: "unsure" } | { kind: "ours"; settlement: Settlement };

async function lookInBooks(
  ctx: InvoicesCtx,
  { realmId }: { realmId: string },
  invoice: Sending,
): Promise<Looked> {
  const { key, docNumber, draft, amountCents } = invoice;
  const { data: found } = await ctx.books(realmId).findInvoices({
    docNumber,
    customerId: draft.CustomerRef.value,
    txnDate: draft.TxnDate,
    totalCents: amountCents,
    madeAfter: new Date(invoice.sentAt.getTime() - CLOCKS_DIFFER_MS),
  });
  if (found.length === 0) return { kind: "none" };
  const ids = found.map(({ Id }) => Id);
  const claimed = await findClaimedIds(ctx.db, realmId, ids);
  const [first, ...others] = found.filter(({ Id }) => !claimed.has(Id));
  if (!first) return { kind: "none" };
  const answer = readAnswer(invoice, first);
  // To take somebody else's invoice for ours would let an undo delete it.
  if (others.length > 0 || answer.differences.length > 0) return { kind: "unsure" };
  return { kind: "ours", settlement: { key, state: "posted", message: "", ...answer } };
}

/** @returns null when this try brought no clear answer either */
async function sendAlone(ctx: InvoicesCtx, upload: Held, invoice: Sending): Promise<Settlement | null> {
  const { key, draft, requestId } = invoice;
  const beforeSend = () => assertHeld(ctx, upload);
  try {
    const { data, tid } = await ctx.books(upload.realmId).createInvoice(draft, { requestId, beforeSend });
    return { key, state: "posted", message: "", tid, ...readAnswer(invoice, data) };
  } catch (error) {
    if (!(error instanceof IntuitError)) throw error;
    if (error.kind === "duplicateDoc")
      return (await findInBooks(ctx, upload, invoice)) ?? rejection(invoice, error);
    if (UNCLEAR.has(error.kind)) return null;
    if (endOf(error) || error.kind === "throttled") throw error;
    return rejection(invoice, error);
  }
}

const unknownSentence = ({ docNumber, draft }: Sending) =>
  `QuickBooks gave no clear answer, so we do not know whether ${docNumber ? `invoice ${docNumber}` : "this invoice"} of ${draft.TxnDate} was stored. Look for it in QuickBooks before you send it again.`;
