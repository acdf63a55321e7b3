import type { SheetNames } from "#formats/text/sheet-rows.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { sumShares } from "#features/invoices/ledger/rules-shares.ts";
import type { Undo } from "#features/invoices/ledger/store-undos.ts";
import { toInvoice, undoText } from "#features/invoices/results/rules-invoice.ts";
import { undoCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import type { UndoRun } from "#features/invoices/undo/contract.ts";
import { runSentence } from "#features/invoices/undo/rules.ts";
import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { ledgerRows } from "#features/invoices/ledger/store-entries.ts";
import type { UndoReason } from "#features/invoices/contract.ts";

/** Maximum number of listed invoices; the shares count all of them. */
export const MAX_LISTED = 1_000;

/** Reads the progress or the outcome of an undo. @param sheets names of those of its file that were read together */
export async function readRun(ctx: InvoicesCtx, undo: Undo, sheets: SheetNames): Promise<UndoRun> {
  const shares = await findRunShares(ctx.db, undo);
  const left = await findLeft(ctx.db, undo, MAX_LISTED);
  const undone = sumShares(shares.filter(({ reason }) => reason === null));
  const skipped = sumShares(shares.filter(({ reason }) => reason !== null));
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
      reason ? { reason, ...sumShares([share]) } : [],
    ),
    left: left.flatMap((row) =>
      row.undoReason
        ? {
            ...toInvoice(ctx, { realmId: undo.realmId, sheets }, row),
            reason: row.undoReason,
            sentence: undoText(row),
          }
        : [],
    ),
  };
}

/** Invoices of one outcome of an undo; `reason` is null for those it removed from the books. */
type RunShare = { reason: UndoReason | null; invoices: number; cents: number };

async function findRunShares(db: Db, undo: Undo): Promise<RunShare[]> {
  const { rows } = await sql<RunShare>`select undo_reason as reason, count(*) as invoices,
      coalesce(sum(amount_cents), 0)::bigint as cents
    from ledger_entry
    where realm_id = ${undo.realmId} and upload_id = ${undo.uploadId}::uuid and undo_id = ${undo.id}::uuid
      and (state = 'undone' or undo_reason is not null)
    group by undo_reason order by undo_reason`.execute(db);
  return rows;
}

/** Finds the first invoices an undo left, in sheet order. */
const findLeft = (db: Db, undo: Undo, limit: number) =>
  ledgerRows(db, { realmId: undo.realmId, id: undo.uploadId })
    .where("undo_id", "=", undo.id)
    .where("undo_reason", "is not", null)
    .limit(limit)
    .execute();
