import type { InvoiceChange } from "#integrations/intuit/detect-change.ts";
import { NOTHING_LEFT } from "#features/invoices/results/sentences-runs.ts";
import { undoSentence } from "#features/invoices/results/sentences-writes.ts";
import type { EntryState } from "#features/invoices/ledger/tables.ts";
import type { UndoAction, UndoReason } from "#features/invoices/contract.ts";

/** Reason why an invoice is left alone, as a code and a sentence. */
export type Left = { reason: UndoReason; sentence: string };

/** Explains why an invoice may not be undone. */
export const leftBecause = (reason: InvoiceChange, posted: { number: string | null }): Left => ({
  reason,
  sentence: undoSentence({ code: reason, params: {} }, posted),
});

/** Explains why an invoice in this ledger state has nothing to undo. */
export function neverPosted(state: EntryState): Left {
  if (state === "unresolved") {
    const sentence = "We don't know whether it was stored. Look for it in QuickBooks.";
    return { reason: "unresolved", sentence };
  }
  const earlier = "This upload didn't post it: an earlier one did.";
  return { reason: "not_posted", sentence: state === "skipped" ? earlier : "It was never posted." };
}

type Counts = { action: UndoAction; undone: number; skipped: number };

/** Describes the outcome of an undo in a sentence. */
export function runSentence({ action, undone, skipped }: Counts): string {
  const kept = skipped === 1 ? "1 invoice was kept" : `${skipped} invoices were kept`;
  if (undone === 0) return skipped === 0 ? NOTHING_LEFT : `No invoices were changed: ${kept}.`;
  const done = `${undone === 1 ? "1 invoice was" : `${undone} invoices were`} ${action === "void" ? "voided" : "deleted"}`;
  return skipped === 0 ? `${done}.` : `${done}, and ${kept}.`;
}
