import { sql } from "kysely";
import type { Ctx } from "#platform/ctx.ts";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import { withFence } from "#features/invoices/hold-upload.ts";
import type { Held } from "#features/invoices/post/store-ledger.ts";
import type { EntryState, InvoicesTables } from "#features/invoices/tables.ts";
import type { UndoAction, UndoReason } from "#features/invoices/undo/contract.ts";
import { FIRST_SYNC_TOKEN } from "#features/invoices/undo/rules.ts";
import type { UndoSettlement } from "#features/invoices/undo/rules-settlement.ts";
import type { Undo } from "#features/invoices/undo/store.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** An undo at work: the wish, and the upload whose fence it holds. */
export type UndoWork = { undo: Undo; upload: Held };

/** A ledger row as an undo sees it. `number` is the invoice's own in QuickBooks. */
export type UndoEntry = {
  key: string;
  generation: number;
  seq: number;
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
  /** What the last undo said of it. */
  message: string;
  action: UndoAction | null;
  undoneAt: Date | null;
};

/**
 * An invoice that is being undone, its place in its batch, the rounds in which it stayed unclear, and when it last went
 * out: null when it never did.
 */
export type UndoingEntry = UndoEntry & {
  batchId: string;
  batchItem: string;
  vainRounds: number;
  sentAt: Date | null;
};

const COLUMNS = [
  "invoice_key",
  "generation",
  "seq",
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
  "undo_message",
  "undo_action",
  "undone_at",
  "undo_batch_id",
  "undo_batch_item",
  "undo_sent_at",
  "vain_rounds",
] as const;

const ledgerOf = (db: Db, upload: { realmId: string; id: string }) =>
  tables(db)
    .selectFrom("upload_invoice")
    .select(COLUMNS)
    .where("realm_id", "=", upload.realmId)
    .where("upload_id", "=", upload.id)
    .orderBy("seq");

/** The whole ledger of an upload, in the order of the sheet. */
export async function findUndoEntries(db: Db, upload: { realmId: string; id: string }): Promise<UndoEntry[]> {
  return (await ledgerOf(db, upload).execute()).map(toEntry);
}

/** The next posted invoices of an upload after a place in the sheet, but for those this undo has given up. */
export async function findPosted(
  db: Db,
  { upload, undo }: UndoWork,
  { after, limit }: { after: number; limit: number },
): Promise<UndoEntry[]> {
  const rows = await ledgerOf(db, upload)
    .where("state", "=", "posted")
    .where(({ and, eb, not }) =>
      not(
        and([
          eb("undo_id", "is not distinct from", undo.id),
          eb("undo_reason", "is not distinct from", "unclear"),
        ]),
      ),
    )
    .where("seq", ">", after)
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

/** Whether an upload has an invoice in the books. */
export async function hasPosted(db: Db, upload: { realmId: string; id: string }): Promise<boolean> {
  return (await ledgerOf(db, upload).where("state", "=", "posted").limit(1).execute()).length > 0;
}

/** How many invoices of an upload QuickBooks never told the end of. */
export async function countUnknown(db: Db, upload: { realmId: string; id: string }): Promise<number> {
  const { count } = await tables(db)
    .selectFrom("upload_invoice")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("realm_id", "=", upload.realmId)
    .where("upload_id", "=", upload.id)
    .where("state", "=", "unknown")
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Batches that were being undone when their worker ended, each whole and in its order. */
export async function findUndoingBatches(db: Db, upload: Held): Promise<UndoingEntry[][]> {
  const rows = await ledgerOf(db, upload).where("state", "=", "undoing").execute();
  const entries = rows.map((row) => {
    if (!row.undo_batch_id || !row.undo_batch_item)
      throw new Error(`Ledger entry ${row.invoice_key} is being undone but is in no batch.`);
    const { undo_batch_id: batchId, undo_batch_item: batchItem, vain_rounds: vainRounds } = row;
    return { ...toEntry(row), batchId, batchItem, vainRounds, sentAt: row.undo_sent_at };
  });
  return [...Map.groupBy(entries, ({ batchId }) => batchId).values()];
}

/** Marks invoices as being undone, before anything leaves. @param batchId requestid of their batch */
export async function markUndoing(
  tx: Db,
  { upload, undo, batchId }: UndoWork & { batchId: string },
  entries: readonly UndoEntry[],
): Promise<UndoingEntry[]> {
  const placed = entries.map((entry, index) => ({
    ...entry,
    batchId,
    batchItem: String(index + 1),
    vainRounds: 0,
    sentAt: null,
  }));
  const rows = placed.map(({ key, batchItem }) => ({ key, item: batchItem }));
  await sql`update upload_invoice e set state = 'undoing', undo_id = ${undo.id}::uuid, undo_action = ${undo.action},
      undo_reason = null, undo_message = '', undo_batch_id = ${batchId}, undo_batch_item = b.item,
      undo_sent_at = null, vain_rounds = 0
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as b (key text, item text)
    where e.realm_id = ${upload.realmId} and e.upload_id = ${upload.id}::uuid and e.invoice_key = b.key
      and e.state = 'posted'`.execute(tx);
  return placed;
}

/**
 * Writes that invoices go out to be undone, right before they do: a worker that slept must not send what another has
 * settled.
 * @throws FencedOut
 */
export async function markUndoSent(ctx: Ctx, upload: Held, keys: readonly string[]): Promise<void> {
  await withFence(ctx, upload, async (tx) => {
    await tables(tx)
      .updateTable("upload_invoice")
      .set({ undo_sent_at: ctx.clock.now() })
      .where("realm_id", "=", upload.realmId)
      .where("upload_id", "=", upload.id)
      .where("invoice_key", "in", [...keys])
      .where("state", "=", "undoing")
      .execute();
  });
}

/** Writes when invoices had gone out before: the call that was to undo them now was never done. @throws FencedOut */
export async function unmarkUndoSent(
  ctx: Ctx,
  upload: Held,
  entries: readonly UndoingEntry[],
): Promise<void> {
  const rows = entries.map(({ key, sentAt }) => ({ key, sent_at: sentAt }));
  await withFence(ctx, upload, async (tx) => {
    await sql`update upload_invoice e set undo_sent_at = s.sent_at
      from jsonb_to_recordset(${toJson(rows)}::jsonb) as s (key text, sent_at timestamptz)
      where e.realm_id = ${upload.realmId} and e.upload_id = ${upload.id}::uuid and e.invoice_key = s.key
        and e.state = 'undoing'`.execute(tx);
  });
}

/** Writes how invoices ended. An undone one gets a new generation, which tells a later undo of it from this one. */
export async function settleUndo(
  tx: Db,
  { upload, undo }: UndoWork,
  { settlements, now }: { settlements: readonly UndoSettlement[]; now: Date },
): Promise<void> {
  await sql`update upload_invoice e set state = s.state, undo_reason = s.reason, undo_message = s.message,
      undo_action = ${undo.action},
      undo_id = case when s.state = 'posted' and s.reason is null then null else ${undo.id}::uuid end,
      undone_at = case when s.state = 'undone' then ${now}::timestamptz end,
      generation = case when s.state = 'undone' then e.generation + 1 else e.generation end
    from jsonb_to_recordset(${toJson(settlements)}::jsonb) as s (key text, state text, reason text, message text)
    where e.realm_id = ${upload.realmId} and e.upload_id = ${upload.id}::uuid and e.invoice_key = s.key
      and e.state in ('posted', 'undoing')`.execute(tx);
}

/** What an undo did with an invoice; `reason` is null where it took it out of the books. */
export type RunShare = { reason: UndoReason | null; invoices: number; amountCents: number };

export async function findRunShares(db: Db, undo: Undo): Promise<RunShare[]> {
  const { rows } = await sql<RunShare>`select undo_reason as reason, count(*) as invoices,
      coalesce(sum(amount_cents), 0)::bigint as "amountCents"
    from upload_invoice
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

type Row = {
  invoice_key: string;
  generation: number;
  seq: number;
  row_numbers: number[];
  doc_number: string | null;
  qbo_doc_number: string | null;
  customer_name: string;
  amount_cents: number | null;
  currency: string | null;
  state: EntryState;
  qbo_id: string | null;
  qbo_sync_token: string | null;
  undo_reason: UndoReason | null;
  undo_message: string;
  undo_action: UndoAction | null;
  undone_at: Date | null;
};

function toEntry(row: Row): UndoEntry {
  return {
    key: row.invoice_key,
    generation: row.generation,
    seq: row.seq,
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
    message: row.undo_message,
    action: row.undo_action,
    undoneAt: row.undone_at,
  };
}
