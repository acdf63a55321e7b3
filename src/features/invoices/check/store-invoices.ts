import { sql } from "kysely";
import type { InvoiceDraft } from "#features/books/index.ts";
import type { EntryState, InvoicesTables, ReadInvoice } from "#features/invoices/ledger/tables.ts";
import { whereUpload, type UploadId } from "#features/invoices/ledger/store.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { Problem } from "#formats/table/problem.ts";
import type { Db } from "#platform/db/connect.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** The columns of a checked invoice for a table row. `codes`: codes of its errors. */
export type CheckedRow = {
  seq: number;
  rows: number[];
  lineRows: number[] | null;
  docNumber: string | null;
  customerName: string;
  amountCents: number | null;
  currency: string | null;
  state: EntryState;
  date: string | null;
  dueDate: string | null;
  termsDue: string | null;
  codes: string[];
  cause: Cause | null;
};

/** Reads the invoices of a check in sheet order, without drafts and problems. */
export const findCheckedRows = (db: Db, upload: UploadId): Promise<CheckedRow[]> =>
  tables(db)
    .selectFrom("ledger_entry")
    .select(["seq", "row_numbers as rows", "line_rows as lineRows", "state", "doc_number as docNumber"])
    .select(["customer_name as customerName", "amount_cents as amountCents", "currency"])
    .select(["terms_due as termsDue", "cause"])
    .select([
      sql<string | null>`coalesce(draft ->> 'TxnDate', read ->> 'txnDate')`.as("date"),
      sql<string | null>`coalesce(draft ->> 'DueDate', read ->> 'dueDate')`.as("dueDate"),
      sql<string[]>`jsonb_path_query_array(problems, '$[*] ? (@.severity == "error").code')`.as("codes"),
    ])
    .where(whereUpload(upload))
    .orderBy("seq")
    .execute();

/** `read`: values that could be read of an invoice without a draft. */
type Checked = {
  state: EntryState;
  draft: InvoiceDraft | null;
  read: ReadInvoice | null;
  rows: number[];
  lineRows: number[] | null;
  problems: readonly Problem[];
  cause: Cause | null;
};

/** Reads everything about an invoice of a check. */
export async function findChecked(db: Db, upload: UploadId, seq: number): Promise<Checked | undefined> {
  return tables(db)
    .selectFrom("ledger_entry")
    .select(["state", "draft", "read", "row_numbers as rows", "line_rows as lineRows", "problems", "cause"])
    .where(whereUpload(upload))
    .where("seq", "=", seq)
    .executeTakeFirst();
}

/** Finds a posted invoice of an upload: by its number in the books, else by one of its rows. */
export const findPosted = (
  db: Db,
  upload: UploadId,
  { number, row }: { number: string | null; row: number },
) =>
  tables(db)
    .selectFrom("ledger_entry")
    .select(["draft", "row_numbers as rows", "line_rows as lineRows"])
    .select(["customer_name as customerName", "amount_cents as amountCents"])
    .where(whereUpload(upload))
    .where(
      number === null
        ? sql<boolean>`row_numbers && ${[row]}::int[]`
        : sql<boolean>`qbo_doc_number = ${number}`,
    )
    .executeTakeFirst();

/** Finds all rows of each invoice that has one of the given rows. */
export async function findRowsOfInvoices(db: Db, upload: UploadId, rows: readonly number[]) {
  return tables(db)
    .selectFrom("upload_invoice")
    .select(["row_numbers as rows", "doc_number as name", "amount_cents as cents", "currency"])
    .where(whereUpload(upload))
    .where(sql<boolean>`row_numbers && ${[...rows]}::int[]`)
    .execute();
}

/** Finds invoices with an error after a place in the sheet. */
export async function findFaulty(
  db: Db,
  upload: UploadId,
  { after, limit }: { after: number; limit: number },
): Promise<{ seq: number; docNumber: string | null; problems: readonly Problem[] }[]> {
  return tables(db)
    .selectFrom("upload_invoice")
    .select(["seq", "doc_number as docNumber", "problems"])
    .where(whereUpload(upload))
    .where("verdict", "=", "rejected")
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit)
    .execute();
}
