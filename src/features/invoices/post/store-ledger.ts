import { sql } from "kysely";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import type { BooksAnswer } from "#features/invoices/post/rules-answer.ts";
import type { InvoiceDraft } from "#features/invoices/plan/rules-draft.ts";
import type { Problem } from "#features/invoices/workbook/rules-problems.ts";
import type { EntryState, InvoicesTables } from "#features/invoices/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** Which upload, and under which fence its ledger is written. */
export type Held = { realmId: string; id: string; fence: number };

export type NewEntry = {
  key: string;
  seq: number;
  rows: number[];
  docNumber: string | null;
  customerName: string;
  amountCents: number | null;
  currency: string | null;
  draft: InvoiceDraft | null;
  problems: Problem[];
  state: EntryState;
  requestId: string;
  message: string;
  /** Names what it would send; null when that is nothing. */
  mark: string | null;
};

const ROWS_A_STATEMENT = 250;

/** Writes the ledger of an upload, all of it in the caller's transaction, taking no more entries than it writes at once. */
export async function addEntries(tx: Db, upload: Held, entries: Iterable<NewEntry>): Promise<void> {
  let batch: NewEntry[] = [];
  for (const entry of entries) {
    batch.push(entry);
    if (batch.length < ROWS_A_STATEMENT) continue;
    await insertEntries(tx, upload, batch);
    batch = [];
  }
  if (batch.length > 0) await insertEntries(tx, upload, batch);
}

/** One JSON parameter for many rows: a parameter a value would meet PostgreSQL's limit of 65,535. */
async function insertEntries(tx: Db, upload: Held, entries: readonly NewEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({
    invoice_key: entry.key,
    seq: entry.seq,
    row_numbers: entry.rows,
    doc_number: entry.docNumber,
    customer_name: entry.customerName,
    amount_cents: entry.amountCents,
    currency: entry.currency,
    draft: entry.draft,
    problems: entry.problems,
    state: entry.state,
    request_id: entry.requestId,
    message: entry.message,
    mark: entry.mark,
  }));
  await sql`insert into upload_invoice (realm_id, upload_id, invoice_key, seq, row_numbers, doc_number, customer_name,
      amount_cents, currency, draft, problems, state, request_id, message, mark)
    select ${upload.realmId}, ${upload.id}::uuid, e.invoice_key, e.seq, e.row_numbers, e.doc_number, e.customer_name,
      e.amount_cents, e.currency, e.draft, e.problems, e.state, e.request_id, e.message, e.mark
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as e (invoice_key text, seq int, row_numbers int[],
      doc_number text, customer_name text, amount_cents bigint, currency text, draft jsonb, problems jsonb, state text,
      request_id text, message text, mark text)`.execute(tx);
}

export async function markPlanned(tx: Db, upload: Held, notes: readonly Problem[]): Promise<void> {
  await tables(tx)
    .updateTable("upload")
    .set({ planned: true, notes: toJson(notes) })
    .where("realm_id", "=", upload.realmId)
    .where("id", "=", upload.id)
    .execute();
}

/** An invoice on its way to the books. */
export type Sending = {
  key: string;
  docNumber: string | null;
  amountCents: number;
  draft: InvoiceDraft;
  requestId: string;
  batchId: string;
  batchItem: string;
  attempts: number;
  sentAt: Date;
  /**
   * `no`: it goes with its batch. Else only its own requestid may be used: `due`, it has not gone out under that yet;
   * `sent`, it has.
   */
  alone: "no" | "due" | "sent";
  /** Before this run of the work; null when it never went out. */
  lastSentAt: Date | null;
  /** From when on this run sends it; null while it is only looked for. */
  resentAt: Date | null;
  /** Rounds in which it stayed unclear though QuickBooks answered when asked for it. */
  vainRounds: number;
};

export const SENDING_COLUMNS = [
  "invoice_key",
  "doc_number",
  "amount_cents",
  "draft",
  "request_id",
  "batch_id",
  "batch_item",
  "attempts",
  "sent_at",
  "sent_alone_at",
  "last_sent_at",
  "vain_rounds",
] as const;

/** Batches that were being sent when their worker ended, each whole and in its order. */
export async function findUnsettledBatches(db: Db, upload: Held): Promise<Sending[][]> {
  const rows = await tables(db)
    .selectFrom("upload_invoice")
    .select(SENDING_COLUMNS)
    .where("realm_id", "=", upload.realmId)
    .where("upload_id", "=", upload.id)
    .where("state", "=", "sending")
    .orderBy("seq")
    .execute();
  return [...Map.groupBy(rows.map(toSending), (sending) => sending.batchId).values()];
}

/**
 * Takes the next invoices in order and marks them as being sent, before anything leaves.
 * @param batch.id requestid of the batch; each invoice gets its place in it as bId
 */
export async function takeReady(
  tx: Db,
  upload: Held,
  batch: { id: string; size: number; now: Date },
): Promise<Sending[]> {
  const { rows } = await sql<InvoicesTables["upload_invoice"]>`with next as (
      select invoice_key, generation, row_number() over (order by seq) as place from (
        select invoice_key, generation, seq from upload_invoice
        where realm_id = ${upload.realmId} and upload_id = ${upload.id}::uuid and state = 'ready'
        order by seq limit ${batch.size} for update
      ) first
    )
    update upload_invoice e set state = 'sending', batch_id = ${batch.id}, batch_item = next.place::text,
      attempts = e.attempts + 1, sent_at = ${batch.now}, last_sent_at = null, sent_alone_at = null, vain_rounds = 0
    from next where e.realm_id = ${upload.realmId} and e.upload_id = ${upload.id}::uuid
      and e.invoice_key = next.invoice_key and e.generation = next.generation
    returning e.invoice_key, e.doc_number, e.amount_cents, e.draft, e.request_id, e.batch_id, e.batch_item, e.attempts,
      e.sent_at, e.sent_alone_at, e.last_sent_at, e.vain_rounds, e.seq`.execute(tx);
  const inOrder = rows.toSorted((one, other) => one.seq - other.seq);
  return inOrder.map((row) => toSending(row as unknown as Parameters<typeof toSending>[0]));
}

/** How one invoice ended, or `ready` when it surely never reached the books. */
export type Settlement = {
  key: string;
  state: EntryState;
  message: string;
  tid?: string | null;
} & Partial<BooksAnswer>;

/** Writes how invoices ended; only those still being sent change. */
export async function settle(
  tx: Db,
  upload: Held,
  { settlements, now }: { settlements: readonly Settlement[]; now: Date },
): Promise<void> {
  const rows = settlements.map((one) => ({
    invoice_key: one.key,
    ...endingColumns(one),
    differences: one.differences ?? [],
    intuit_tid: one.tid ?? null,
  }));
  await sql`update upload_invoice e set state = s.state, message = s.message, qbo_id = s.qbo_id,
      qbo_doc_number = s.qbo_doc_number, qbo_total_cents = s.qbo_total_cents, qbo_tax_cents = s.qbo_tax_cents,
      qbo_sync_token = s.qbo_sync_token, differences = s.differences, intuit_tid = s.intuit_tid,
      settled_at = case when s.state = 'ready' then null else ${now}::timestamptz end
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as s (invoice_key text, state text, message text, qbo_id text,
      qbo_doc_number text, qbo_total_cents bigint, qbo_tax_cents bigint, qbo_sync_token text, differences jsonb,
      intuit_tid text)
    where e.realm_id = ${upload.realmId} and e.upload_id = ${upload.id}::uuid and e.invoice_key = s.invoice_key
      and e.state = 'sending'`.execute(tx);
}

/** The columns of an ending, but for the differences: each statement writes them in a form of its own. */
export const endingColumns = (one: Settlement) => ({
  state: one.state,
  message: one.message,
  qbo_id: one.qboId ?? null,
  qbo_doc_number: one.qboDocNumber ?? null,
  qbo_total_cents: one.qboTotalCents ?? null,
  qbo_tax_cents: one.qboTaxCents ?? null,
  qbo_sync_token: one.qboSyncToken ?? null,
});

/** Ends all that is open: what never left is stopped, what did is unknown. */
export async function endOpenEntries(
  tx: Db,
  upload: Held,
  ending: { stopped: string; unknown: string; now: Date },
): Promise<void> {
  await sql`update upload_invoice set settled_at = ${ending.now},
      state = case when state = 'ready' or last_sent_at is null then 'stopped' else 'unknown' end,
      message = case when state = 'ready' or last_sent_at is null then ${ending.stopped}::text
        else ${ending.unknown}::text end
    where realm_id = ${upload.realmId} and upload_id = ${upload.id}::uuid and state in ('ready', 'sending')`.execute(
    tx,
  );
}

/** True when QuickBooks must number some of the invoices that are left; then they go in the order of the sheet. */
export async function needsBooksNumbers(db: Db, upload: Held): Promise<boolean> {
  const row = await tables(db)
    .selectFrom("upload_invoice")
    .select("invoice_key")
    .where("realm_id", "=", upload.realmId)
    .where("upload_id", "=", upload.id)
    .where("state", "=", "ready")
    .where("doc_number", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export function toSending(row: {
  invoice_key: string;
  doc_number: string | null;
  amount_cents: number | null;
  draft: InvoiceDraft | null;
  request_id: string;
  batch_id: string | null;
  batch_item: string | null;
  attempts: number;
  sent_at: Date | null;
  sent_alone_at: Date | null;
  last_sent_at: Date | null;
  vain_rounds: number;
}): Sending {
  if (!row.draft || row.amount_cents === null || !row.batch_id || !row.batch_item || !row.sent_at) {
    throw new Error(`Ledger entry ${row.invoice_key} is being sent but has nothing to send.`);
  }
  return {
    key: row.invoice_key,
    docNumber: row.doc_number,
    amountCents: row.amount_cents,
    draft: row.draft,
    requestId: row.request_id,
    batchId: row.batch_id,
    batchItem: row.batch_item,
    attempts: row.attempts,
    sentAt: row.sent_at,
    alone: aloneOf(row),
    lastSentAt: row.last_sent_at,
    resentAt: null,
    vainRounds: row.vain_rounds,
  };
}

function aloneOf({
  sent_alone_at: due,
  last_sent_at: last,
}: Record<"sent_alone_at" | "last_sent_at", Date | null>) {
  if (due === null) return "no";
  return last !== null && last >= due ? "sent" : "due";
}
