import { sql } from "kysely";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import type { InvoiceDraft } from "#features/books/index.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { Problem } from "#formats/table/problem.ts";
import type { InvoicesTables, Verdict } from "#features/invoices/ledger/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** Which upload, and the run of it, or of its undo, under whose fence its ledger is written. */
export type Held = { realmId: string; id: string; runId: string; fence: number };

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
  verdict: Verdict;
  /** Why it is skipped or held back. */
  cause: Cause | null;
  /** Names what it would send; null when that is nothing. */
  fingerprint: string | null;
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
    verdict: entry.verdict,
    cause: entry.cause,
    fingerprint: entry.fingerprint,
  }));
  await sql`insert into upload_invoice (realm_id, upload_id, invoice_key, seq, row_numbers, doc_number, customer_name,
      amount_cents, currency, draft, problems, verdict, cause, fingerprint)
    select ${upload.realmId}, ${upload.id}::uuid, e.invoice_key, e.seq, e.row_numbers, e.doc_number, e.customer_name,
      e.amount_cents, e.currency, e.draft, e.problems, e.verdict, e.cause, e.fingerprint
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as e (invoice_key text, seq int, row_numbers int[],
      doc_number text, customer_name text, amount_cents bigint, currency text, draft jsonb, problems jsonb, verdict text,
      cause jsonb, fingerprint text)`.execute(tx);
}

export async function markPlanned(tx: Db, upload: Held, notes: readonly Problem[]): Promise<void> {
  await tables(tx)
    .updateTable("upload")
    .set({ planned: true, notes: toJson(notes) })
    .where("realm_id", "=", upload.realmId)
    .where("id", "=", upload.id)
    .execute();
}
