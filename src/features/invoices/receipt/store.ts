import { type RawBuilder, sql } from "kysely";
import type { Corrected } from "#formats/table/corrections.ts";
import type { Problem } from "#formats/table/problem.ts";
import type { Db } from "#platform/db/connect.ts";
import { postUploadRun } from "#features/invoices/runs.ts";
import { whereUpload, type UploadId } from "#features/invoices/ledger/store.ts";
import { customerOrNumberHas, ledgerRows } from "#features/invoices/ledger/store-entries.ts";
import type { ReceiptFilter } from "#features/invoices/receipt/contract.ts";
import type { Sums } from "#features/invoices/receipt/rules.ts";
import { UNKNOWN_NAME_CODES } from "#features/invoices/results/list-unknown-names.ts";
import { TXN_DATE } from "#features/invoices/results/store.ts";

type Head = {
  filename: string;
  uploadedBy: string;
  /** Null if the user is no longer known. */
  uploaderId: string | null;
  uploadedAt: Date;
  dataRows: number;
  finishedAt: Date | null;
  /** Remarks on the file. */
  notes: Problem[];
  /** Cells that users corrected before it was posted. */
  corrections: Corrected[];
};

/** Finds the head of a receipt; a check that was not posted has none. */
export async function findReceiptHead(db: Db, { realmId, id }: UploadId): Promise<Head | undefined> {
  const { rows } = await sql<Head>`select file_name as filename, uploaded_by as "uploadedBy",
      uploaded_by_id as "uploaderId", uploaded_at as "uploadedAt", data_rows as "dataRows",
      coalesce(notes, '[]') as notes,
      (select finished_at from run where run.realm_id = upload.realm_id and run.subject = upload.id
        and run.kind = ${postUploadRun.kind} order by requested_at desc limit 1) as "finishedAt",
      coalesce((select corrections from upload_check c where c.realm_id = upload.realm_id and c.upload_id = upload.id),
        '[]') as corrections
    from upload where realm_id = ${realmId} and id = ${id}::uuid and stage in ('confirmed', 'posting')`.execute(
    db,
  );
  return rows[0];
}

/** Rejected by the plan, and every error is a name that the books do not have. */
const UNANSWERED = sql<boolean>`(state = 'rejected' and cause is null
  and jsonb_path_exists(problems, '$[*] ? (@.severity == "error")')
  and not jsonb_path_exists(problems,
    ${sql.lit(`$[*] ? (@.severity == "error" && !(@.code like_regex "${UNKNOWN_NAME_CODES}"))`)}))`;

/** Sums by state and overall, with the currencies, all at one point in time. */
export async function sumLedger(db: Db, upload: UploadId): Promise<Sums[]> {
  const { rows } = await sql<Sums>`select state, count(*) as invoices,
      coalesce(sum(cardinality(row_numbers)), 0)::int as rows,
      coalesce(sum(amount_cents), 0)::bigint as cents,
      count(*) filter (where amount_cents is null) as unreadable,
      count(*) filter (where ${UNANSWERED}) as unanswered,
      coalesce(sum(amount_cents) filter (where ${UNANSWERED}), 0)::bigint as "unansweredCents",
      coalesce(sum(qbo_total_cents), 0)::bigint as "totalCents", coalesce(sum(qbo_tax_cents), 0)::bigint as "taxCents",
      sum(tax_cents)::bigint as "fileTaxCents",
      coalesce(sum(qbo_tax_cents) filter (where tax_cents is not null), 0)::bigint as "comparedTaxCents",
      coalesce(array_agg(distinct currency order by currency) filter (where currency is not null), '{}') as currencies,
      coalesce(array_agg(distinct undo_action) filter (where state = 'undone' and undo_action is not null), '{}')
        as "undoActions"
    from ledger_entry where ${whereUpload(upload)} group by grouping sets ((state), ())`.execute(db);
  return rows;
}

const receiptRows = (db: Db, upload: UploadId) =>
  ledgerRows(db, upload)
    .select(["qbo_total_cents as totalCents", "qbo_tax_cents as taxCents", "problems"])
    .select([draftDay("TxnDate").as("date"), draftDay("DueDate").as("dueDate"), TXN_DATE])
    .select(sql<boolean>`${UNANSWERED}`.as("isUnanswered"))
    .select(sql<string | null>`coalesce(qbo_due_date, terms_due)`.as("derivedDue"));

const draftDay = (field: "TxnDate" | "DueDate") => sql<string | null>`draft ->> ${field}`;

export type ReceiptRow = Awaited<ReturnType<typeof findReceiptRows>>[number];

export type Page = { after: number; limit: number; filter: ReceiptFilter; search?: string | undefined };

/** Reads one page of the ledger in sheet order. @param page.after `seq` of the last row before it */
export const findReceiptRows = (db: Db, upload: UploadId, { after, limit, filter, search }: Page) =>
  receiptRows(db, upload)
    .where("seq", ">", after)
    .where(FILTERS[filter])
    .where(search === undefined ? sql<boolean>`true` : customerOrNumberHas(search))
    .limit(limit)
    .execute();

const FILTERS: Record<ReceiptFilter, RawBuilder<boolean>> = {
  all: sql<boolean>`true`,
  posted: sql<boolean>`state = 'posted'`,
  not_posted: sql<boolean>`state <> 'posted'`,
};

/**
 * Finds the first posted invoices that QuickBooks stored differently from what was sent, and their number.
 */
export async function findFlagged(
  db: Db,
  upload: UploadId,
  limit: number,
): Promise<{ rows: ReceiptRow[]; count: number }> {
  const differs = sql<boolean>`state = 'posted' and differences <> '[]'`;
  const rows = await receiptRows(db, upload).where(differs).limit(limit).execute();
  if (rows.length < limit) return { rows, count: rows.length };
  const counted = await sql<{ count: number }>`select count(*) as count from ledger_entry
    where ${whereUpload(upload)} and ${differs}`.execute(db);
  return { rows, count: counted.rows[0]?.count ?? 0 };
}
