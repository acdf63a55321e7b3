import { IntuitError } from "#integrations/intuit/errors.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { endOf, isUnclear } from "#features/invoices/post/rules-end.ts";
import type { Unclear } from "#features/invoices/post/settle-batch.ts";
import { beforeUndo, ReadLongAgo } from "#features/invoices/undo/read-recently.ts";
import { faultLeft, unclear, undoRequestId } from "#features/invoices/undo/rules.ts";
import {
  endInBooks,
  leftAs,
  undoneAs,
  type UndoSettlement,
} from "#features/invoices/undo/rules-settlement.ts";
import type { UndoingEntry, UndoWork } from "#features/invoices/undo/store-ledger.ts";

/** Waits before the books are asked again; each single try carries the ledger row's own requestid. */
const AGAIN_AFTER_MS = [1_000, 4_000, 15_000];

/**
 * Finds out what became of an invoice whose batch gave no clear answer for it: the books tell whether it is gone, was
 * changed by others, or is untouched; only an untouched one is sent again, alone.
 * @param unclear.fault what QuickBooks said of this invoice, null when it said nothing
 * @param unclear.hasty true to try once only one of which it said nothing: QuickBooks does not answer such calls now
 * @returns null when it stays open: the same batch must be asked for again later
 * @throws IntuitError when nothing more can be asked or written in this company
 */
export async function resolveUndo(
  ctx: InvoicesCtx,
  work: UndoWork,
  { entry, fault, hasty }: Unclear<UndoingEntry> & { hasty: boolean },
): Promise<UndoSettlement | null> {
  const isTold = fault !== null && fault.kind !== "uncertain";
  for (const wait of hasty && !isTold ? [null] : [...AGAIN_AFTER_MS, null]) {
    const readAt = ctx.clock.now();
    const settled = (await readBooks(ctx, work, entry)) ?? (await sendAlone(ctx, work, { entry, readAt }));
    if (settled) return settled;
    if (wait !== null) await ctx.clock.sleep(wait);
  }
  // One that QuickBooks answers with failures for ever must not hold up the others.
  return isTold ? leftAs(entry, unclear(entry)) : null;
}

/** @returns null when the invoice is in the books as we posted it */
async function readBooks(
  ctx: InvoicesCtx,
  { undo, upload }: UndoWork,
  entry: UndoingEntry,
): Promise<UndoSettlement | null> {
  const { data } = await ctx.books(upload.realmId).findInvoicesById([entry.qboId]);
  const found = data.find(({ Id }) => Id === entry.qboId);
  return endInBooks(entry, found, { action: undo.action, closedThrough: null });
}

/** @returns null when this try brought no clear answer either */
async function sendAlone(
  ctx: InvoicesCtx,
  { undo, upload }: UndoWork,
  { entry, readAt }: { entry: UndoingEntry; readAt: Date },
): Promise<UndoSettlement | null> {
  const books = ctx.books(upload.realmId);
  const version = { Id: entry.qboId, SyncToken: entry.syncToken };
  const row = { realmId: upload.realmId, uploadId: upload.id, undoId: undo.id, ...entry };
  const beforeSend = () => beforeUndo(ctx, upload, { keys: [entry.key], readAt });
  const options = { requestId: undoRequestId(row, undo.action), beforeSend };
  try {
    if (undo.action === "void") await books.voidInvoice(version, options);
    else await books.deleteInvoice(version, options);
    return undoneAs(entry);
  } catch (error) {
    if (error instanceof ReadLongAgo) return null;
    if (!(error instanceof IntuitError) || endOf(error)) throw error;
    if (isUnclear(error) || error.kind === "stale") return null;
    const gone = error.kind === "notFound" ? await readBooks(ctx, { undo, upload }, entry) : null;
    return gone ?? leftAs(entry, faultLeft(entry, error));
  }
}
