import { sql } from "kysely";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { RunTables } from "#platform/runs/tables.ts";
import type { Cause, RunState } from "#platform/runs/types.ts";
import type { CheckReport } from "#features/invoices/check/contract.ts";
import type { UploadMode } from "#features/invoices/contract.ts";
import { postUploadRun } from "#features/invoices/jobs.ts";
import { PAUSES, waitingState } from "#features/invoices/ledger/rules-runs.ts";
import { uploadCauseSentence } from "#features/invoices/sentences-runs.ts";
import type { InvoicesTables, Summary, UploadPhase, UploadState } from "#features/invoices/ledger/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables & RunTables>();

export type Upload = {
  realmId: string;
  id: string;
  fileName: string;
  sha256: string;
  objectKey: string;
  dataRows: number;
  uploadedAt: Date;
  state: UploadState;
  reason: string;
  planned: boolean;
  notes: InvoicesTables["upload"]["notes"]["__select__"];
  summary: Summary;
  phase: UploadPhase;
  confirmed: boolean;
  /** Uploads whose equal invoices do not keep its own from being posted. */
  equalWaived: readonly string[];
  /** How often a check has told what it found. */
  revision: number;
  mode: UploadMode;
  report: CheckReport | null;
  changes: string[];
};

type NewUpload = Omit<
  Upload,
  "planned" | "notes" | "state" | "reason" | "confirmed" | "equalWaived" | "revision" | "report" | "changes"
> & {
  uploadedBy: string;
  sizeBytes: number;
};

export async function addUpload(tx: Db, upload: NewUpload): Promise<void> {
  await tables(tx)
    .insertInto("upload")
    .values({
      realm_id: upload.realmId,
      id: upload.id,
      file_name: upload.fileName,
      sha256: upload.sha256,
      object_key: upload.objectKey,
      size_bytes: upload.sizeBytes,
      data_rows: upload.dataRows,
      uploaded_by: upload.uploadedBy,
      uploaded_at: upload.uploadedAt,
      summary: toJson(upload.summary),
      phase: upload.phase,
      mode: upload.mode,
    })
    .execute();
  await raiseListVersion(tx, upload.realmId, upload.phase === "post" ? 1 : 0);
}

export async function findUpload(db: Db, realmId: string, uploadId: string): Promise<Upload | null> {
  // One statement: between two, a check might end and its posting begin.
  const row = await tables(db)
    .selectFrom("upload")
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom("run")
          .select(["run.state as run_state", "run.cause as run_cause"])
          .whereRef("run.realm_id", "=", "upload.realm_id")
          .whereRef("run.subject", "=", "upload.id")
          .where("run.kind", "=", postUploadRun.kind)
          .orderBy("run.requested_at", "desc")
          .limit(1)
          .as("latest"),
      (join) => join.onTrue(),
    )
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("id", "=", uploadId)
    .executeTakeFirst();
  return row ? toUpload(row) : null;
}

/**
 * The newest uploads of a company, without anything that grows with their length.
 * @param page.before only those older than this one
 */
export async function findNewestUploads(
  db: Db,
  realmId: string,
  { limit, before }: { limit: number; before: string | null },
) {
  const moment = sql<Date>`(select uploaded_at from upload where realm_id = ${realmId} and id = ${before}::uuid)`;
  return tables(db)
    .selectFrom("upload")
    .select(["id", "file_name", "uploaded_at", "summary"])
    .where("realm_id", "=", realmId)
    .where("phase", "=", "post")
    .$if(before !== null, (query) =>
      // The first condition is the one that the index finds its place by.
      query
        .where("uploaded_at", "<=", moment)
        .where((row) => row.or([row("uploaded_at", "<", moment), row("id", ">", before ?? "")])),
    )
    .orderBy("uploaded_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** How many uploads a company has, whether one is being worked on or undone, and the version of its list. */
export async function findListState(db: Db, realmId: string) {
  const { rows } = await sql<{ total: number; in_process: boolean; version: number }>`select
    coalesce((select total from upload_list where realm_id = ${realmId}), 0) as total,
    exists (select from run r join upload u on u.realm_id = r.realm_id and u.id = r.subject
      where r.realm_id = ${realmId} and u.phase = 'post' and r.state in ('queued', 'working', 'waiting')
        and (r.state <> 'waiting' or r.cause ->> 'code' <> all (${PAUSES}::text[]))) as in_process,
    coalesce((select version from upload_list where realm_id = ${realmId}), 0) as version`.execute(db);
  return rows[0] ?? { total: 0, in_process: false, version: 0 };
}

/** How many uploads of a company are not finished; of checks only those that a person asked to post. */
export async function countOpenUploads(db: Db, realmId: string): Promise<number> {
  const { count } = await tables(db)
    .selectFrom("upload")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("realm_id", "=", realmId)
    .where((row) => row.or([row("phase", "=", "post"), row("confirmed", "=", true)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("run")
          .select("run.id")
          .whereRef("run.realm_id", "=", "upload.realm_id")
          .whereRef("run.subject", "=", "upload.id")
          .where("run.kind", "=", postUploadRun.kind)
          .where("run.state", "in", ["queued", "working", "waiting"]),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Makes every reader of the list see a change: the version is the list's ETag, and browsers that listen ask again.
 * @param added how many uploads the list has gained
 */
export async function raiseListVersion(db: Db, realmId: string, added = 0): Promise<void> {
  await tables(db)
    .insertInto("upload_list")
    .values({ realm_id: realmId, version: 1, total: added })
    .onConflict((conflict) =>
      conflict.column("realm_id").doUpdateSet({
        version: sql`upload_list.version + 1`,
        total: sql`upload_list.total + ${added}`,
      }),
    )
    .execute();
  await publishChange(db, { realmId, kind: "invoices" });
}

/** Names one upload. */
export type UploadId = { realmId: string; id: string };

/** Lets one at a time count an upload up, until the transaction ends: none overwrites what a later one counted. */
export async function lockSummary(tx: Db, { realmId, id }: UploadId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`summary ${realmId} ${id}`}, 0))`.execute(tx);
}

/**
 * Lets one at a time, of a company, write the plan of an upload or ask for an undo, until the transaction ends: a plan
 * tells what is in the books because of earlier uploads.
 */
export async function lockPlans(tx: Db, realmId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`plans ${realmId}`}, 0))`.execute(tx);
}

export async function saveSummary(db: Db, upload: UploadId, summary: Summary): Promise<void> {
  await tables(db)
    .updateTable("upload")
    .set({ summary: toJson(summary) })
    .where("realm_id", "=", upload.realmId)
    .where("id", "=", upload.id)
    .execute();
  await raiseListVersion(db, upload.realmId);
}

type Row = {
  realm_id: string;
  id: string;
  file_name: string;
  sha256: string;
  object_key: string;
  data_rows: number;
  uploaded_at: Date;
  run_state: RunState | null;
  run_cause: Cause | null;
  planned: boolean;
  notes: Upload["notes"];
  summary: Summary;
  phase: UploadPhase;
  confirmed: boolean;
  equal_waived: string[];
  revision: number;
  mode: UploadMode;
  report: CheckReport | null;
  changes: string[];
};

type ShownRow = Pick<Row, "id" | "phase" | "run_state" | "run_cause">;

/** What users see of the latest run of an upload: a check that has ended is not finished before it is posted. */
function shownState({
  id,
  phase,
  run_state: state,
  run_cause: cause,
}: ShownRow): Pick<Upload, "state" | "reason"> {
  const reason = cause ? uploadCauseSentence(cause, id) : "";
  if (state === "waiting") return { state: waitingState(cause), reason };
  if (state === "stopped") return { state, reason };
  if (state === "done") return { state: phase === "check" ? "checked" : "finished", reason: "" };
  return { state: state ?? "queued", reason: "" };
}

function toUpload(row: Row): Upload {
  return {
    realmId: row.realm_id,
    id: row.id,
    fileName: row.file_name,
    sha256: row.sha256,
    objectKey: row.object_key,
    dataRows: row.data_rows,
    uploadedAt: row.uploaded_at,
    ...shownState(row),
    planned: row.planned,
    notes: row.notes,
    summary: row.summary,
    phase: row.phase,
    confirmed: row.confirmed,
    equalWaived: row.equal_waived,
    revision: row.revision,
    mode: row.mode,
    report: row.report,
    changes: row.changes,
  };
}
