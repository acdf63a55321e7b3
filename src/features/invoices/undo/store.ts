import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { ledgerRows } from "#features/invoices/ledger/store-entries.ts";
import type { Undo } from "#features/invoices/ledger/store-undos.ts";
import type { UndoReason } from "#features/invoices/contract.ts";

/** What an undo did with some invoices; `reason` is null where it took them out of the books. */
type RunShare = { reason: UndoReason | null; invoices: number; cents: number };

export async function findRunShares(db: Db, undo: Undo): Promise<RunShare[]> {
  const { rows } = await sql<RunShare>`select undo_reason as reason, count(*) as invoices,
      coalesce(sum(amount_cents), 0)::bigint as cents
    from ledger_entry
    where realm_id = ${undo.realmId} and upload_id = ${undo.uploadId}::uuid and undo_id = ${undo.id}::uuid
      and (state = 'undone' or undo_reason is not null)
    group by undo_reason order by undo_reason`.execute(db);
  return rows;
}

/** The first invoices an undo left, in the order of the sheet. */
export const findLeft = (db: Db, undo: Undo, limit: number) =>
  ledgerRows(db, { realmId: undo.realmId, id: undo.uploadId })
    .where("undo_id", "=", undo.id)
    .where("undo_reason", "is not", null)
    .limit(limit)
    .execute();
