import { type RawBuilder, sql } from "kysely";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import { removeRuns } from "#platform/runs/store.ts";
import type { RunState } from "#platform/runs/types.ts";
import { postUploadRun } from "#features/invoices/jobs.ts";
import { lookKey, type CheckedEntry, type PostedBefore } from "#features/invoices/check/rules-report.ts";
import { raiseListVersion, type UploadId } from "#features/invoices/ledger/store.ts";
import { inPages, ledgerPage } from "#features/invoices/results/store-entries.ts";
import type { InvoiceDraft } from "#features/books/index.ts";
import type { Change, CheckFacts, InvoicesTables } from "#features/invoices/ledger/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** The ledger of a checked upload, in the order of the sheet. */
export async function* readCheckedEntries(
  db: Db,
  upload: UploadId,
): AsyncGenerator<CheckedEntry & { draft: InvoiceDraft | null }> {
  const rows = inPages((page) =>
    ledgerPage(db, upload, page)
      .select(["invoice_key", "state", "row_numbers", "doc_number", "customer_name"])
      .select(["amount_cents", "currency", "problems", "draft"])
      .select([sql<string | null>`draft->>'TxnDate'`.as("txn_date")])
      .execute(),
  );
  for await (const row of rows)
    yield {
      key: row.invoice_key,
      state: row.state,
      rows: row.row_numbers,
      docNumber: row.doc_number,
      customerName: row.customer_name,
      txnDate: row.txn_date,
      amountCents: row.amount_cents,
      currency: row.currency,
      problems: row.problems,
      draft: row.draft,
    };
}

/**
 * Invoices this company posted through us since a day that look like one ready in this upload's ledger. Only those
 * leave the database, however many were posted.
 */
export async function findPostedLooks(db: Db, upload: UploadId, since: Date): Promise<PostedBefore> {
  // The planner knows nothing yet of the ledger just written. "offset 0" has each amount and day looked up by itself, in
  // the index, and "is true" keeps one hash table of what is looked for: as joins they might compare each invoice with
  // each, or read all that was ever posted.
  const { rows } = await sql<{
    customer_name: string;
    txn_date: string;
    amount_cents: number;
    qbo_doc_number: string | null;
    file_name: string;
  }>`with mine as materialized (
      select distinct customer_name, draft->>'TxnDate' as txn_date, amount_cents from upload_invoice
      where realm_id = ${upload.realmId} and upload_id = ${upload.id}::uuid and verdict = 'ready')
    select e.customer_name, looked.txn_date, looked.amount_cents, e.qbo_doc_number, u.file_name
    from (select distinct txn_date, amount_cents from mine) looked
    cross join lateral (
      select upload_id, customer_name, qbo_doc_number from ledger_entry
      where realm_id = ${upload.realmId} and state = 'posted' and fingerprint is not null and amount_cents = looked.amount_cents
        and draft->>'TxnDate' = looked.txn_date and upload_id <> ${upload.id}::uuid offset 0) e
    cross join lateral (
      select file_name from upload
      where realm_id = ${upload.realmId} and id = e.upload_id and uploaded_at > ${since} offset 0) u
    where ((e.customer_name, looked.txn_date, looked.amount_cents) in (table mine)) is true`.execute(db);
  return new Map(
    rows.map((row) => [
      lookKey({ customerName: row.customer_name, txnDate: row.txn_date, amountCents: row.amount_cents }),
      { docNumber: row.qbo_doc_number, fileName: row.file_name },
    ]),
  );
}

/** Writes what a check found, whose equal invoices it left out, and what had changed when it was to be posted. */
export async function saveReport(
  tx: Db,
  upload: UploadId,
  found: { report: CheckFacts; equalShown: readonly string[]; changes: Change[] },
): Promise<void> {
  await tables(tx)
    .updateTable("upload_check")
    .set({
      report: toJson(found.report),
      changes: toJson(found.changes),
      equal_shown: [...found.equalShown],
      confirmed: false,
      revision: sql`revision + 1`,
    })
    .where("realm_id", "=", upload.realmId)
    .where("upload_id", "=", upload.id)
    .execute();
}

/** Takes the ledger of a check away, so that it can be written again. */
export async function dropEntries(tx: Db, upload: UploadId): Promise<void> {
  await tables(tx)
    .deleteFrom("upload_invoice")
    .where("realm_id", "=", upload.realmId)
    .where("upload_id", "=", upload.id)
    .execute();
}

/** A check as somebody has seen it. */
export type SeenCheck = UploadId & { revision: number };

/** Puts a finished check in line to be posted. @returns false when it is not finished, or is no longer as it was seen */
export const confirmCheck = (tx: Db, seen: SeenCheck): Promise<boolean> =>
  requeueFinished(tx, seen, sql`confirmed = true`);

/**
 * Puts a finished check in line to be made with the equal invoices that it left out.
 * @returns false when it is not finished, or is no longer as it was seen
 */
export const recheckWithEqual = (tx: Db, seen: SeenCheck): Promise<boolean> =>
  requeueFinished(tx, seen, sql`equal_waived = c.equal_waived || c.equal_shown, equal_shown = '{}'`);

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

/** The state of the latest run of an upload. */
const latestState = sql<RunState>`(select run.state from run where run.realm_id = upload.realm_id
  and run.subject = upload.id and run.kind = ${postUploadRun.kind} order by run.requested_at desc limit 1)`;

/** Checks from before a day that are not posted, of all companies. */
export async function findOldChecks(db: Db, before: Date): Promise<UploadId[]> {
  const rows = await tables(db)
    .selectFrom("upload")
    .select(["realm_id", "id"])
    .where("phase", "=", "check")
    .where("uploaded_at", "<", before)
    .execute();
  return rows.map((row) => ({ realmId: row.realm_id, id: row.id }));
}

/** Makes a confirmed check an upload like any other. */
export async function turnIntoUpload(tx: Db, upload: UploadId, uploadedAt: Date): Promise<void> {
  await tables(tx)
    .updateTable("upload")
    .set({ phase: "post", uploaded_at: uploadedAt })
    .where("realm_id", "=", upload.realmId)
    .where("id", "=", upload.id)
    .execute();
  await raiseListVersion(tx, upload.realmId, 1);
}

/**
 * Removes a check that is not being worked on.
 * @param by the passing of time takes none that somebody asked to post and that waits
 * @returns the key of its file, null when there is no such check
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
