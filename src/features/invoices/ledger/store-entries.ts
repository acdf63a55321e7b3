import { sql } from "kysely";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import { likePattern } from "#platform/db/like-pattern.ts";
import type { InvoiceDraft } from "#features/books/index.ts";
import type { HeldRun } from "#platform/runs/types.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { Problem } from "#formats/table/problem.ts";
import { whereUpload, type UploadId } from "#features/invoices/ledger/store.ts";
import type { InvoicesTables, ReadInvoice, Verdict } from "#features/invoices/ledger/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** An upload with its run, or its undo's run, whose fence guards writes to the ledger. */
export type UploadRun = UploadId & { run: HeldRun };

export type NewEntry = {
  key: string;
  seq: number;
  rows: number[];
  /** Row of each line; null if each row is one line. */
  lineRows: number[] | null;
  docNumber: string | null;
  customerName: string;
  amountCents: number | null;
  /** Tax in the file, which is compared but not sent. */
  taxCents: number | null;
  currency: string | null;
  draft: InvoiceDraft | null;
  /** Due date by the terms, YYYY-MM-DD; absent where the file has one, and for terms without a number of days. */
  termsDue?: string | undefined;
  /** Set if there is no draft. */
  read: ReadInvoice | null;
  problems: Problem[];
  verdict: Verdict;
  /** Reason why it is skipped or held back. */
  cause: Cause | null;
  /** Fingerprint of what it would send; null if nothing. */
  fingerprint: string | null;
  /** Fingerprint of what the file says of it; null if it would send nothing. */
  fileFingerprint: string | null;
  /** As in the file, whether or not it is sent. */
  poNumber: string | null;
};

const ROWS_PER_STATEMENT = 250;

/** Writes the ledger of an upload in the caller's transaction, and consumes entries in batches. */
export async function addEntries(tx: Db, upload: UploadId, entries: Iterable<NewEntry>): Promise<void> {
  let batch: NewEntry[] = [];
  for (const entry of entries) {
    batch.push(entry);
    if (batch.length < ROWS_PER_STATEMENT) continue;
    await insertEntries(tx, upload, batch);
    batch = [];
  }
  if (batch.length > 0) await insertEntries(tx, upload, batch);
}

/**
 * Sends many rows as one JSON parameter: one parameter per value would reach PostgreSQL's limit of 65,535.
 */
async function insertEntries(tx: Db, upload: UploadId, entries: readonly NewEntry[]): Promise<void> {
  const rows = entries.map(
    ({
      key,
      rows: row_numbers,
      lineRows,
      docNumber,
      customerName,
      amountCents,
      taxCents,
      termsDue,
      fileFingerprint,
      poNumber,
      ...entry
    }) => ({
      ...entry,
      realm_id: upload.realmId,
      upload_id: upload.id,
      invoice_key: key,
      row_numbers,
      line_rows: lineRows,
      doc_number: docNumber,
      customer_name: customerName,
      amount_cents: amountCents,
      tax_cents: taxCents,
      terms_due: termsDue,
      file_fingerprint: fileFingerprint,
      po_number: poNumber,
    }),
  );
  await sql`insert into upload_invoice
    select * from jsonb_populate_recordset(null::upload_invoice, ${toJson(rows)}::jsonb)`.execute(tx);
}

/** Selects invoices of an upload for display, in sheet order. */
export const ledgerRows = (db: Db, upload: UploadId) =>
  tables(db)
    .selectFrom("ledger_entry")
    .select(["seq", "row_numbers as rows", "line_rows as lineRows"])
    .select(["doc_number as docNumber", "customer_name as customerName"])
    .select(["amount_cents as amountCents", "currency", "state", "cause", "differences"])
    .select(["qbo_id as qboId", "qbo_doc_number as qboDocNumber", "qbo_sync_token as syncToken"])
    .select(["posted_tid as postedTid", "undo_action as undoAction", "undo_reason as undoReason"])
    .select(["undo_cause as undoCause", "undone_at as undoneAt"])
    .where(whereUpload(upload))
    .orderBy("seq");

/** Finds the key of an unresolved invoice by its place. @returns null when it is not unresolved */
export async function findUnresolved(db: Db, upload: UploadId, seq: number): Promise<string | null> {
  const row = await tables(db)
    .selectFrom("ledger_entry")
    .select("invoice_key as key")
    .where(whereUpload(upload))
    .where("seq", "=", seq)
    .where("state", "=", "unresolved")
    .executeTakeFirst();
  return row?.key ?? null;
}

/** Matches the customer or number of an invoice, including a number assigned by QuickBooks. */
export function customerOrNumberHas(search: string) {
  const like = likePattern(search);
  return sql<boolean>`(customer_name ilike ${like} or doc_number ilike ${like} or qbo_doc_number ilike ${like})`;
}

export type LedgerRow = Awaited<ReturnType<ReturnType<typeof ledgerRows>["execute"]>>[number];
