import { centsText } from "#platform/money.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { undoCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import { rowRanges } from "#formats/text/phrases.ts";
import type { SkippedInvoice, UndoRun } from "#features/invoices/undo/contract.ts";
import { runSentence, type Left } from "#features/invoices/undo/rules.ts";
import type { Undo } from "#features/invoices/ledger/store-undos.ts";
import { findLeft, findRunShares, type UndoEntry } from "#features/invoices/undo/store-ledger.ts";

/** Invoices that are listed; the shares count all of them. */
export const MAX_LISTED = 1_000;

/** How an undo goes or went. */
export async function readRun(ctx: InvoicesCtx, undo: Undo): Promise<UndoRun> {
  const shares = await findRunShares(ctx.db, undo);
  const left = await findLeft(ctx.db, undo, MAX_LISTED);
  const done = shares.filter(({ reason }) => reason === null);
  const skipped = shares.flatMap(({ reason, ...share }) => (reason ? [{ ...share, reason }] : []));
  const [undoneShare, skippedShare] = [sumOf(done), sumOf(skipped)];
  const counts = { undone: undoneShare.invoices, skipped: skippedShare.invoices };
  const ended = undo.state === "finished" ? runSentence({ action: undo.action, ...counts }) : "";
  return {
    id: undo.id,
    action: undo.action,
    state: undo.state,
    requested_by: undo.requestedBy,
    requested_at: undo.requestedAt.toISOString(),
    finished_at: undo.finishedAt?.toISOString() ?? null,
    sentence: undo.cause ? undoCauseSentence(undo.cause, undo.uploadId) : ended,
    undone: undoneShare,
    skipped: skippedShare,
    skipped_by_reason: skipped.map(({ reason, ...share }) => ({ reason, ...sumOf([share]) })),
    left: left.flatMap((entry) =>
      entry.reason
        ? [skippedToWire(ctx, undo.realmId, { entry, reason: entry.reason, sentence: entry.message })]
        : [],
    ),
  };
}

type Share = { invoices: number; amountCents: number };

/** Invoices and money of some shares, as the wire has them. */
export function sumOf(shares: readonly Share[]): { invoices: number; amount: string } {
  const cents = shares.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return { invoices: shares.reduce((sum, { invoices }) => sum + invoices, 0), amount: centsText(cents) };
}

/** One invoice that an undo leaves, with its reason. */
export function skippedToWire(
  ctx: InvoicesCtx,
  realmId: string,
  { entry, reason, sentence }: Left & { entry: UndoEntry },
): SkippedInvoice {
  return {
    rows: rowRanges([...entry.rows]),
    doc_number: entry.docNumber,
    qbo_doc_number: entry.qboId ? entry.number : null,
    customer: entry.customerName,
    amount: entry.amountCents === null ? null : centsText(entry.amountCents),
    currency: entry.currency,
    link: entry.qboId ? ctx.invoicePage({ realmId, id: entry.qboId }) : null,
    intuit_tid: entry.tid,
    reason,
    sentence,
  };
}
