import { type RawBuilder, sql } from "kysely";
import { type Corrected, leftOutRows } from "#formats/table/corrections.ts";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import { removeRuns } from "#platform/runs/store.ts";
import type { RunState } from "#platform/runs/types.ts";
import { postUploadRun } from "#features/invoices/runs.ts";
import { duplicateKey, type CheckedEntry, type PostedBefore } from "#features/invoices/check/rules-report.ts";
import {
  isConfirmed,
  raiseListVersion,
  type UploadId,
  whereUpload,
} from "#features/invoices/ledger/store.ts";
import type { UploadMode } from "#features/invoices/contract.ts";
import type { InvoiceDraft } from "#features/books/index.ts";
import type { Change, CheckFacts, InvoicesTables, UploadStage } from "#features/invoices/ledger/tables.ts";

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

/** Confirms a finished check for posting. @returns false if it is not finished, or has changed since it was seen */
export async function confirmCheck(tx: Db, seen: SeenCheck, now: Date): Promise<boolean> {
  const isDone = await leaveReview(tx, seen, { upload: sql`stage = 'confirmed', uploaded_at = ${now}` });
  if (isDone) await raiseListVersion(tx, seen.realmId, 1);
  return isDone;
}

/** Repeats a finished check, and allows the equal invoices that it left out. */
export const allowEqual = (tx: Db, seen: SeenCheck): Promise<boolean> =>
  leaveReview(tx, seen, {
    upload: sql`stage = 'checking'`,
    check: sql`duplicates_allowed = c.duplicates_allowed || c.duplicates_shown, duplicates_shown = '{}',`,
  });

/** Repeats a check with corrected cells: a finished one, or one that stopped before it was posted. */
export function recheckCorrected(
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
  return leaveReview(tx, seen, {
    from: sql`(${IN_REVIEW} or (stage in ('checking', 'review', 'confirmed') and ${latestState} = 'stopped'))`,
    // Rows of left-out invoices no longer count.
    upload: sql`stage = 'checking', data_rows = data_rows - ${fewer}::int, mode = coalesce(${mode ?? null}, mode)`,
    // They may be equal to others now than those that the user saw and added.
    check: sql`corrections = ${toJson(corrections)}, duplicates_allowed = '{}',`,
  });
}

async function leaveReview(
  tx: Db,
  { realmId, id, revision }: SeenCheck,
  {
    from = IN_REVIEW,
    upload,
    check = sql``,
  }: { from?: RawBuilder<unknown>; upload: RawBuilder<unknown>; check?: RawBuilder<unknown> },
): Promise<boolean> {
  const { rows } = await sql`with reviewed as (update upload set ${upload}
      where realm_id = ${realmId} and id = ${id}::uuid and ${from}
        and exists (select from upload_check c
          where c.realm_id = upload.realm_id and c.upload_id = upload.id and c.revision = ${revision})
      returning realm_id, id)
    update upload_check c set ${check} changes = '[]' from reviewed
    where c.realm_id = reviewed.realm_id and c.upload_id = reviewed.id returning c.upload_id`.execute(tx);
  return rows.length === 1;
}

/** State of the latest run of an upload. */
const latestState = sql<RunState>`(select run.state from run where run.realm_id = upload.realm_id
  and run.subject = upload.id and run.kind = ${postUploadRun.kind} order by run.requested_at desc limit 1)`;

const IN_REVIEW = sql`(stage = 'review' and ${latestState} = 'done')`;

/** Finds checks from before a day that no user confirmed, of all companies. */
export const findOldChecks = (db: Db, before: Date): Promise<UploadId[]> =>
  tables(db)
    .selectFrom("upload")
    .select(["realm_id as realmId", "id"])
    .where("stage", "in", ["checking", "review"])
    .where("uploaded_at", "<", before)
    .execute();

/**
 * Removes a check that is not being worked on.
 * @param stages those in which it may be
 * @returns the key of its file, null if there is no such check
 */
export async function removeCheck(
  tx: Db,
  { realmId, id }: UploadId,
  stages: readonly UploadStage[],
): Promise<string | null> {
  const row = await tables(tx)
    .deleteFrom("upload")
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .where("stage", "in", stages)
    .where(latestState, "in", ["done", "stopped", "waiting"])
    .where(sql<boolean>`exists (select from upload_check c
      where c.realm_id = upload.realm_id and c.upload_id = upload.id)`)
    .returning(["object_key", "stage"])
    .executeTakeFirst();
  if (!row) return null;
  await removeRuns(tx, { realmId, subject: id });
  if (isConfirmed(row)) await raiseListVersion(tx, realmId, -1);
  return row.object_key;
}
