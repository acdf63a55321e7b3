import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { sumOf } from "#features/invoices/ledger/rules-shares.ts";
import type { Undo } from "#features/invoices/ledger/store-undos.ts";
import { toInvoice, undoText } from "#features/invoices/results/rules-invoice.ts";
import { undoCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import type { UndoRun } from "#features/invoices/undo/contract.ts";
import { runSentence } from "#features/invoices/undo/rules.ts";
import { findLeft, findRunShares } from "#features/invoices/undo/store.ts";

/** Invoices that are listed; the shares count all of them. */
export const MAX_LISTED = 1_000;

/** How an undo goes or went. */
export async function readRun(ctx: InvoicesCtx, undo: Undo): Promise<UndoRun> {
  const shares = await findRunShares(ctx.db, undo);
  const left = await findLeft(ctx.db, undo, MAX_LISTED);
  const undone = sumOf(shares.filter(({ reason }) => reason === null));
  const skipped = sumOf(shares.filter(({ reason }) => reason !== null));
  const counts = { undone: undone.invoices, skipped: skipped.invoices };
  const ended = undo.state === "finished" ? runSentence({ action: undo.action, ...counts }) : "";
  return {
    id: undo.id,
    action: undo.action,
    state: undo.state,
    requested_by: undo.requestedBy,
    requested_at: undo.requestedAt.toISOString(),
    finished_at: undo.finishedAt?.toISOString() ?? null,
    sentence: undo.cause ? undoCauseSentence(undo.cause, undo.uploadId) : ended,
    undone,
    skipped,
    skipped_by_reason: shares.flatMap(({ reason, ...share }) =>
      reason ? { reason, ...sumOf([share]) } : [],
    ),
    left: left.flatMap((row) =>
      row.undoReason
        ? { ...toInvoice(ctx, undo.realmId, row), reason: row.undoReason, sentence: undoText(row) }
        : [],
    ),
  };
}
