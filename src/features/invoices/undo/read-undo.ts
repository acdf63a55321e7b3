import {
  type PostedInvoice,
  readChanges,
  readClosedThrough,
  unreadableBooks,
} from "#features/books/index.ts";
import { listCurrencies, sumShares } from "#features/invoices/ledger/rules-shares.ts";
import { findUpload, isConfirmed, noUpload } from "#features/invoices/ledger/store.ts";
import { sheetNames } from "#formats/table/places.ts";
import type { SheetNames } from "#formats/text/sheet-rows.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { toInvoice, undoText } from "#features/invoices/results/rules-invoice.ts";
import type { UndoStatus } from "#features/invoices/undo/contract.ts";
import { MAX_LISTED, readRun } from "#features/invoices/undo/read-run.ts";
import { undoCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import { type Left, leftBecause, neverPosted } from "#features/invoices/undo/rules.ts";
import { uploadInProgress } from "#features/invoices/undo/start-undo.ts";
import { findLatestUndo, isOpen } from "#features/invoices/ledger/store-undos.ts";
import { type LedgerRow, ledgerRows } from "#features/invoices/ledger/store-entries.ts";

/**
 * Previews an undo of an upload from the current books, and reads its latest undo. Writes nothing.
 * @throws AppError 404 for an unknown upload; 409 while it is being worked on or must be reconnected; 503 if
 * QuickBooks cannot be read
 */
export async function readUndo(ctx: InvoicesCtx, realmId: string, uploadId: string): Promise<UndoStatus> {
  const upload = await findUpload(ctx.db, realmId, uploadId);
  if (!upload || !isConfirmed(upload)) throw noUpload();
  if (isOpen(upload.state)) throw uploadInProgress();
  const undo = await findLatestUndo(ctx.db, upload);
  const sheets = sheetNames(upload.notes);
  const run = undo && (await readRun(ctx, undo, sheets));
  if (undo && isOpen(undo.state)) return { preview: null, run };
  const rows = await ledgerRows(ctx.db, upload).execute();
  const candidates = await findCandidates(ctx, realmId, rows);
  return { preview: toPreview(ctx, { realmId, sheets }, candidates), run };
}

/** Maximum listed invoices to be undone: enough to recognize the upload. */
const MAX_SHOWN = 5;

/** An invoice of the ledger, and why it would be left; null if it would be undone. */
type UndoCandidate = { row: LedgerRow; left: Left | null };

async function findCandidates(
  ctx: InvoicesCtx,
  realmId: string,
  rows: readonly LedgerRow[],
): Promise<UndoCandidate[]> {
  const posted = rows.flatMap(({ state, qboId, syncToken }) =>
    state === "posted" && qboId ? { qboId, syncToken } : [],
  );
  const changes = await readBooks(ctx, realmId, posted);
  return rows.map((row) => {
    const change = changes.get(row.qboId ?? "") ?? null;
    if (row.state === "posted")
      return { row, left: change && leftBecause(change, { number: row.qboDocNumber ?? row.docNumber }) };
    const undone: Left = { reason: "undone", sentence: undoText(row) };
    return { row, left: row.state === "undone" ? undone : neverPosted(row.state) };
  });
}

async function readBooks(ctx: InvoicesCtx, realmId: string, posted: readonly PostedInvoice[]) {
  if (posted.length === 0) return new Map<string, never>();
  try {
    const closedThrough = await readClosedThrough(ctx, realmId);
    return await readChanges(ctx, realmId, { posted, closedThrough });
  } catch (error) {
    const refusal = (code: string) => undoCauseSentence({ code }, "");
    throw unreadableBooks(error, { what: "invoices", refusal });
  }
}

function toPreview(
  ctx: InvoicesCtx,
  about: { realmId: string; sheets: SheetNames },
  candidates: readonly UndoCandidate[],
): UndoStatus["preview"] {
  const share = ({ row }: UndoCandidate) => ({ invoices: 1, cents: row.amountCents ?? 0 });
  const undoable = candidates.filter(({ left }) => !left);
  const kept = candidates.flatMap(({ row, left }) => (left ? [{ row, left }] : []));
  const byReason = [...Map.groupBy(kept, ({ left }) => left.reason)];
  return {
    to_undo: sumShares(undoable.map(share)),
    first_to_undo: undoable.slice(0, MAX_SHOWN).map(({ row }) => toInvoice(ctx, about, row)),
    skipped: sumShares(kept.map(share)),
    currencies: listCurrencies(candidates.map(({ row }) => row.currency)),
    skipped_by_reason: byReason.map(([reason, group]) => ({ reason, ...sumShares(group.map(share)) })),
    left: kept
      .toSorted((a, b) => Number(a.row.state !== "posted") - Number(b.row.state !== "posted"))
      .slice(0, MAX_LISTED)
      .map(({ row, left }) => ({ ...toInvoice(ctx, about, row), ...left })),
  };
}
