import { sql, type Selectable } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { FIRST_SYNC_TOKEN } from "#integrations/intuit/judge-invoice.ts";
import type { EntryState, InvoicesTables } from "#features/invoices/ledger/tables.ts";
import type { Undo } from "#features/invoices/ledger/store-undos.ts";
import { undoneMessage } from "#features/invoices/results/sentences-writes.ts";
import type { UndoAction, UndoReason } from "#features/invoices/undo/contract.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** A ledger row as an undo sees it. `number` is the invoice's own in QuickBooks. */
export type UndoEntry = {
  rows: readonly number[];
  docNumber: string | null;
  number: string | null;
  customerName: string;
  amountCents: number | null;
  currency: string | null;
  state: EntryState;
  qboId: string;
  syncToken: string;
  reason: UndoReason | null;
  /** What the last undo said of it, and Intuit's id of the exchange that it comes from. */
  message: string;
  tid: string | null;
  action: UndoAction | null;
  undoneAt: Date | null;
};

const COLUMNS = [
  "row_numbers",
  "doc_number",
  "qbo_doc_number",
  "customer_name",
  "amount_cents",
  "currency",
  "state",
  "qbo_id",
  "qbo_sync_token",
  "undo_reason",
  "undo_cause",
  "undo_action",
  "undone_at",
] as const;

const ledgerOf = (db: Db, upload: { realmId: string; id: string }) =>
  tables(db)
    .selectFrom("ledger_entry")
    .select(COLUMNS)
    .where("realm_id", "=", upload.realmId)
    .where("upload_id", "=", upload.id)
    .orderBy("seq");

/** The ledger of an upload, in the order of the sheet. */
export async function findUndoEntries(db: Db, upload: { realmId: string; id: string }): Promise<UndoEntry[]> {
  return (await ledgerOf(db, upload).execute()).map(toEntry);
}

/** What an undo did with an invoice; `reason` is null where it took it out of the books. */
export type RunShare = { reason: UndoReason | null; invoices: number; amountCents: number };

export async function findRunShares(db: Db, undo: Undo): Promise<RunShare[]> {
  const { rows } = await sql<RunShare>`select undo_reason as reason, count(*) as invoices,
      coalesce(sum(amount_cents), 0)::bigint as "amountCents"
    from ledger_entry
    where realm_id = ${undo.realmId} and upload_id = ${undo.uploadId}::uuid and undo_id = ${undo.id}::uuid
      and (state = 'undone' or undo_reason is not null)
    group by undo_reason order by undo_reason`.execute(db);
  return rows;
}

/** The first invoices an undo left, in the order of the sheet. */
export async function findLeft(db: Db, undo: Undo, limit: number): Promise<UndoEntry[]> {
  const rows = await ledgerOf(db, { realmId: undo.realmId, id: undo.uploadId })
    .where("undo_id", "=", undo.id)
    .where("undo_reason", "is not", null)
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

function toEntry(row: Pick<Selectable<InvoicesTables["ledger_entry"]>, (typeof COLUMNS)[number]>): UndoEntry {
  return {
    rows: row.row_numbers,
    docNumber: row.doc_number,
    number: row.qbo_doc_number ?? row.doc_number,
    customerName: row.customer_name,
    amountCents: row.amount_cents,
    currency: row.currency,
    state: row.state,
    qboId: row.qbo_id ?? "",
    syncToken: row.qbo_sync_token ?? FIRST_SYNC_TOKEN,
    reason: row.undo_reason,
    message: undoneMessage(row),
    tid: row.undo_cause?.tid ?? null,
    action: row.undo_action,
    undoneAt: row.undone_at,
  };
}
