import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { postUploadRun } from "#features/invoices/jobs.ts";
import type { StateSums } from "#features/invoices/receipt/rules.ts";
import { TXN_DATE } from "#features/invoices/results/store-entries.ts";
import type { InvoicesTables } from "#features/invoices/ledger/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

type UploadId = { realmId: string; id: string };

/** The head of a receipt; a check that was not posted has none. */
export async function findReceiptHead(db: Db, { realmId, id }: UploadId) {
  const row = await tables(db)
    .selectFrom("upload")
    .select(["id", "file_name", "uploaded_by", "uploaded_at", "data_rows"])
    .select(
      sql<Date | null>`(select finished_at from run where run.realm_id = upload.realm_id
        and run.subject = upload.id and run.kind = ${postUploadRun.kind} order by requested_at desc limit 1)`.as(
        "finished_at",
      ),
    )
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .where("phase", "=", "post")
    .executeTakeFirst();
  return row ?? null;
}

/** Sums by state, how many rows of the file they hold, and in which currencies, from one and the same moment. */
export async function sumLedger(
  db: Db,
  { realmId, id }: UploadId,
): Promise<{ sums: StateSums[]; rows: number; currencies: string[] }> {
  const { rows } = await sql<
    StateSums & { state: string | null; rows: number; currencies: string[] | null }
  >`select state, count(*) as invoices, coalesce(sum(cardinality(row_numbers)), 0)::int as rows,
      coalesce(sum(amount_cents), 0)::bigint as cents,
      count(*) filter (where amount_cents is null) as unreadable,
      coalesce(sum(qbo_total_cents), 0)::bigint as "totalCents", coalesce(sum(qbo_tax_cents), 0)::bigint as "taxCents",
      array_agg(distinct currency order by currency) filter (where currency is not null) as currencies
    from ledger_entry where realm_id = ${realmId} and upload_id = ${id}::uuid
    group by grouping sets ((state), ())`.execute(db);
  const all = rows.find(({ state }) => state === null);
  return {
    sums: rows.filter(({ state }) => state !== null),
    rows: all?.rows ?? 0,
    currencies: all?.currencies ?? [],
  };
}

const COLUMNS = [
  "seq",
  "row_numbers",
  "doc_number",
  "qbo_doc_number",
  "customer_name",
  "amount_cents",
  "currency",
  "qbo_total_cents",
  "qbo_tax_cents",
  "qbo_id",
  "state",
  "problems",
  "differences",
  "posted_tid",
  "undo_action",
  "undo_cause",
  "cause",
  "undone_at",
] as const;

const ledgerOf = (db: Db, { realmId, id }: UploadId) =>
  tables(db)
    .selectFrom("ledger_entry")
    .select(COLUMNS)
    .select(TXN_DATE)
    .where("realm_id", "=", realmId)
    .where("upload_id", "=", id)
    .orderBy("seq");

export type ReceiptRow = Awaited<ReturnType<typeof findReceiptRows>>[number];

/** One page of the ledger in the order of the sheet. @param page.after `seq` of the last row before it */
export const findReceiptRows = (db: Db, upload: UploadId, page: { after: number; limit: number }) =>
  ledgerOf(db, upload).where("seq", ">", page.after).limit(page.limit).execute();

/** The first posted invoices that QuickBooks stored otherwise than they were sent, and how many there are. */
export async function findFlagged(
  db: Db,
  upload: UploadId,
  limit: number,
): Promise<{ rows: ReceiptRow[]; count: number }> {
  const differs = sql<boolean>`state = 'posted' and differences <> '[]'`;
  const rows = await ledgerOf(db, upload).where(differs).limit(limit).execute();
  if (rows.length < limit) return { rows, count: rows.length };
  const counted = await tables(db)
    .selectFrom("ledger_entry")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("realm_id", "=", upload.realmId)
    .where("upload_id", "=", upload.id)
    .where(differs)
    .executeTakeFirstOrThrow();
  return { rows, count: counted.count };
}
