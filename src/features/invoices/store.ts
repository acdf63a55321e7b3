import { sql } from "kysely";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import { tellChange } from "#platform/events/change-feed.ts";
import type { CheckReport } from "#features/invoices/check/contract.ts";
import type { UploadMode } from "#features/invoices/contract.ts";
import type { InvoicesTables, Summary, UploadPhase, UploadState } from "#features/invoices/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

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
  /** The undo of equal invoices that it waits or waited for. */
  behindUndo: string | null;
  mode: UploadMode;
  report: CheckReport | null;
  changes: string[];
};

type NewUpload = Omit<
  Upload,
  | "planned"
  | "notes"
  | "state"
  | "reason"
  | "confirmed"
  | "equalWaived"
  | "revision"
  | "behindUndo"
  | "report"
  | "changes"
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
      state: "queued",
      summary: toJson(upload.summary),
      finished_at: null,
      phase: upload.phase,
      mode: upload.mode,
    })
    .execute();
  await raiseListVersion(tx, upload.realmId, upload.phase === "post" ? 1 : 0);
}

export async function findUpload(db: Db, realmId: string, uploadId: string): Promise<Upload | null> {
  const row = await tables(db)
    .selectFrom("upload")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("id", "=", uploadId)
    .executeTakeFirst();
  return row ? toUpload(row) : null;
}

/** The newest uploads of a company, without anything that grows with their length. */
export async function findNewestUploads(db: Db, realmId: string, limit: number) {
  return tables(db)
    .selectFrom("upload")
    .select(["id", "file_name", "uploaded_at", "summary"])
    .where("realm_id", "=", realmId)
    .where("phase", "=", "post")
    .orderBy("uploaded_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** How many uploads a company has, whether one is being worked on or undone, and the version of its list. */
export async function findListState(db: Db, realmId: string) {
  const { rows } = await sql<{ total: number; in_process: boolean; version: number }>`select
    coalesce((select total from upload_list where realm_id = ${realmId}), 0) as total,
    exists (select from upload where realm_id = ${realmId} and phase = 'post' and state in ('queued', 'working'))
      or exists (select from upload_undo where realm_id = ${realmId} and state in ('queued', 'working')) as in_process,
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
    .where("state", "in", ["queued", "working", "paused"])
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
  await tellChange(db, { realmId, kind: "invoices" });
}

/**
 * Takes an upload to work on it: raises its fence, so that a worker who held it before can write no more.
 * @returns null when there is nothing left to do. `deadStarts`: how many starts found it being worked on, since the
 * process that did had died
 */
export async function claimUpload(
  db: Db,
  realmId: string,
  uploadId: string,
): Promise<{ fence: number; deadStarts: number } | null> {
  const row = await tables(db)
    .updateTable("upload")
    .set({
      fence: sql`fence + 1`,
      dead_starts: sql`dead_starts + case state when 'working' then 1 else 0 end`,
      state: "working",
      reason: "",
    })
    .where("realm_id", "=", realmId)
    .where("id", "=", uploadId)
    .where("state", "in", ["queued", "working", "paused"])
    .returning(["fence", "dead_starts"])
    .executeTakeFirst();
  return row ? { fence: row.fence, deadStarts: row.dead_starts } : null;
}

/** Holds an upload's row for this transaction. @returns false when another worker has taken the upload meanwhile */
export async function holdFence(
  tx: Db,
  upload: { realmId: string; id: string; fence: number },
): Promise<boolean> {
  const row = await tables(tx)
    .selectFrom("upload")
    .select("id")
    .where("realm_id", "=", upload.realmId)
    .where("id", "=", upload.id)
    .where("fence", "=", upload.fence)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Names one upload. */
export type UploadId = { realmId: string; id: string };

type Ending = { state: UploadState; reason: string; finishedAt: Date | null };

export async function setUploadState(db: Db, upload: UploadId, ending: Ending): Promise<void> {
  await tables(db)
    .updateTable("upload")
    .set({ state: ending.state, reason: ending.reason, finished_at: ending.finishedAt })
    .where("realm_id", "=", upload.realmId)
    .where("id", "=", upload.id)
    .execute();
}

/** Remembers which undo an upload waits for. */
export async function rememberUndo(tx: Db, upload: UploadId, undoId: string): Promise<void> {
  await tables(tx)
    .updateTable("upload")
    .set({ behind_undo: undoId })
    .where("realm_id", "=", upload.realmId)
    .where("id", "=", upload.id)
    .execute();
}

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

function toUpload(row: {
  realm_id: string;
  id: string;
  file_name: string;
  sha256: string;
  object_key: string;
  data_rows: number;
  uploaded_at: Date;
  state: UploadState;
  reason: string;
  planned: boolean;
  notes: Upload["notes"];
  summary: Summary;
  phase: UploadPhase;
  confirmed: boolean;
  equal_waived: string[];
  revision: number;
  behind_undo: string | null;
  mode: UploadMode;
  report: CheckReport | null;
  changes: string[];
}): Upload {
  return {
    realmId: row.realm_id,
    id: row.id,
    fileName: row.file_name,
    sha256: row.sha256,
    objectKey: row.object_key,
    dataRows: row.data_rows,
    uploadedAt: row.uploaded_at,
    state: row.state,
    reason: row.reason,
    planned: row.planned,
    notes: row.notes,
    summary: row.summary,
    phase: row.phase,
    confirmed: row.confirmed,
    equalWaived: row.equal_waived,
    revision: row.revision,
    behindUndo: row.behind_undo,
    mode: row.mode,
    report: row.report,
    changes: row.changes,
  };
}
