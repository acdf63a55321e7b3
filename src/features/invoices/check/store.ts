import { type RawBuilder, sql } from "kysely";
import { type Corrected, leftOutRows } from "#formats/table/corrections.ts";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import { removeRuns } from "#platform/runs/store.ts";
import type { RunState } from "#platform/runs/types.ts";
import { postUploadRun } from "#features/invoices/runs.ts";
import { duplicateKey, type CheckedEntry, type PostedBefore } from "#features/invoices/check/rules-report.ts";
import {
  changeUpload,
  whereUpload,
  raiseListVersion,
  type UploadId,
} from "#features/invoices/ledger/store.ts";
import type { UploadMode } from "#features/invoices/contract.ts";
import type { InvoiceDraft } from "#features/books/index.ts";
import type { Change, CheckFacts, InvoicesTables } from "#features/invoices/ledger/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

const PAGE = 500;

/**
 * Reads the ledger of a checked upload in sheet order, page by page: all problems of a large file at once
 * take more than 100 MB.
 */
export async function* readCheckedEntries(
  db: Db,
  upload: UploadId,
): AsyncGenerator<CheckedEntry & { draft: InvoiceDraft | null }> {
  for (let after = -1; ;) {
    const rows = await tables(db)
      .selectFrom("ledger_entry")
      .select(["seq", "invoice_key as key", "state", "row_numbers as rows", "doc_number as docNumber"])
      .select([
        "customer_name as customerName",
        "amount_cents as amountCents",
        "currency",
        "problems",
        "draft",
      ])
      .select(sql<string | null>`draft->>'TxnDate'`.as("txnDate"))
      .where(whereUpload(upload))
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(PAGE)
      .execute();
    yield* rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

/**
 * Finds invoices that this company posted through us since a day and that may duplicate a ready one of this
 * upload. The query returns only those, however many were posted.
 */
export async function findPostedDuplicates(db: Db, upload: UploadId, since: Date): Promise<PostedBefore> {
  // The planner has no statistics yet for the ledger just written. "offset 0" makes it look up each amount
  // and day separately in the index, and "is true" makes it build one hash table of the candidates; as joins,
  // they might compare every pair of invoices or read all posted ones.
  type Candidate = Parameters<typeof duplicateKey>[0] & { docNumber: string | null; fileName: string };
  const { rows } = await sql<Candidate>`with mine as materialized (
      select distinct customer_name, draft->>'TxnDate' as txn_date, amount_cents from upload_invoice
      where realm_id = ${upload.realmId} and upload_id = ${upload.id}::uuid and verdict = 'ready')
    select e.customer_name as "customerName", looked.txn_date as "txnDate", looked.amount_cents as "amountCents",
      e.qbo_doc_number as "docNumber", u.file_name as "fileName"
    from (select distinct txn_date, amount_cents from mine) looked
    cross join lateral (
      select upload_id, customer_name, qbo_doc_number from ledger_entry
      where realm_id = ${upload.realmId} and state = 'posted' and fingerprint is not null and amount_cents = looked.amount_cents
        and draft->>'TxnDate' = looked.txn_date and upload_id <> ${upload.id}::uuid offset 0) e
    cross join lateral (
      select file_name from upload
      where realm_id = ${upload.realmId} and id = e.upload_id and uploaded_at > ${since} offset 0) u
    where ((e.customer_name, looked.txn_date, looked.amount_cents) in (table mine)) is true`.execute(db);
  return new Map(rows.map((row) => [duplicateKey(row), row]));
}

/** Saves the report of a check, the uploads with equal invoices, and the changes since it was confirmed. */
export async function saveReport(
  tx: Db,
  upload: UploadId,
  found: {
    report: CheckFacts;
    duplicatesShown: readonly string[];
    changes: Change[];
    corrections: Corrected[];
  },
): Promise<void> {
  await tables(tx)
    .updateTable("upload_check")
    .set({
      report: toJson(found.report),
      changes: toJson(found.changes),
      corrections: toJson(found.corrections),
      duplicates_shown: [...found.duplicatesShown],
      confirmed: false,
      revision: sql`revision + 1`,
    })
    .where(whereUpload(upload))
    .execute();
}

/** Deletes the ledger of a check, so that it can be written again. */
export async function dropEntries(tx: Db, upload: UploadId): Promise<void> {
  await tables(tx).deleteFrom("upload_invoice").where(whereUpload(upload)).execute();
}

/** A check as a user saw it. */
export type SeenCheck = UploadId & { revision: number };

const CHANGES = {
  /** Confirms it for posting. */
  confirm: sql`confirmed = true`,
  /** Allows the equal invoices that it left out. */
  allowDuplicates: sql`duplicates_allowed = c.duplicates_allowed || c.duplicates_shown, duplicates_shown = '{}'`,
};

/** Queues a finished check again. @returns false if it is not finished, or has changed since it was seen */
export const requeueCheck = (tx: Db, seen: SeenCheck, change: keyof typeof CHANGES): Promise<boolean> =>
  requeueFinished(tx, seen, CHANGES[change]);

/** Queues a finished check again with corrected cells. */
export async function recheckCorrected(
  tx: Db,
  seen: SeenCheck,
  {
    before,
    corrections,
    mode,
  }: {
    before: readonly Corrected[];
    corrections: readonly Corrected[];
    mode: UploadMode | undefined;
  },
): Promise<boolean> {
  const fewer = leftOutRows(corrections).length - leftOutRows(before).length;
  if (!(await requeueFinished(tx, seen, sql`corrections = ${toJson(corrections)}`))) return false;
  await tables(tx)
    .updateTable("upload")
    // Rows of left-out invoices no longer count.
    .set({ data_rows: sql`data_rows - ${fewer}::int`, ...(mode ? { mode } : {}) })
    .where("realm_id", "=", seen.realmId)
    .where("id", "=", seen.id)
    .execute();
  return true;
}

async function requeueFinished(
  tx: Db,
  { realmId, id, revision }: SeenCheck,
  change: RawBuilder<unknown>,
): Promise<boolean> {
  const { rows } = await sql`update upload_check c set ${change}, changes = '[]' from upload
    where c.realm_id = ${realmId} and c.upload_id = ${id}::uuid and c.revision = ${revision} and not c.confirmed
      and upload.realm_id = c.realm_id and upload.id = c.upload_id and upload.phase = 'check'
      and ${latestState} = 'done' returning c.upload_id`.execute(tx);
  return rows.length === 1;
}

/** State of the latest run of an upload. */
const latestState = sql<RunState>`(select run.state from run where run.realm_id = upload.realm_id
  and run.subject = upload.id and run.kind = ${postUploadRun.kind} order by run.requested_at desc limit 1)`;

/** Finds unposted checks from before a day, of all companies. */
export const findOldChecks = (db: Db, before: Date): Promise<UploadId[]> =>
  tables(db)
    .selectFrom("upload")
    .select(["realm_id as realmId", "id"])
    .where("phase", "=", "check")
    .where("uploaded_at", "<", before)
    .execute();

/** Turns a confirmed check into a regular upload. */
export async function turnIntoUpload(tx: Db, upload: UploadId, uploadedAt: Date): Promise<void> {
  await changeUpload(tx, upload, { phase: "post", uploaded_at: uploadedAt });
  await raiseListVersion(tx, upload.realmId, 1);
}

/**
 * Removes a check that is not being worked on.
 * @param by with "age", keeps a check that a user has confirmed and that waits
 * @returns the key of its file, null if there is no such check
 */
export async function removeCheck(tx: Db, upload: UploadId, by: "user" | "age"): Promise<string | null> {
  const removal = tables(tx)
    .deleteFrom("upload")
    .where("realm_id", "=", upload.realmId)
    .where("id", "=", upload.id)
    .where("phase", "=", "check")
    .where(latestState, "in", ["done", "stopped", "waiting"]);
  const isLeft = sql<boolean>`not (${latestState} = 'waiting' and exists (select from upload_check c
    where c.realm_id = upload.realm_id and c.upload_id = upload.id and c.confirmed))`;
  const chosen = by === "user" ? removal : removal.where(isLeft);
  const row = await chosen.returning("object_key").executeTakeFirst();
  if (!row) return null;
  await removeRuns(tx, { realmId: upload.realmId, subject: upload.id });
  return row.object_key;
}
