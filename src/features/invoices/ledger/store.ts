import { sql, type Updateable } from "kysely";
import type { Corrected } from "#formats/table/corrections.ts";
import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { Cause, RunState } from "#platform/runs/types.ts";
import type { UploadMode } from "#features/invoices/contract.ts";
import { OUTAGES, PAUSES, postUploadRun, waitingState } from "#features/invoices/runs.ts";
import type {
  Change,
  CheckFacts,
  InvoicesTables,
  Summary,
  UploadSource,
  UploadStage,
  UploadState,
} from "#features/invoices/ledger/tables.ts";
import { wakeRuns } from "#platform/runs/store.ts";
import { notFound } from "#platform/errors.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** Identifies an upload. */
export type UploadId = { realmId: string; id: string };

/** Condition for rows of an upload, in any of its tables. */
export const whereUpload = ({ realmId, id }: UploadId) =>
  sql<boolean>`realm_id = ${realmId} and upload_id = ${id}::uuid`;

export type Upload = {
  realmId: string;
  id: string;
  fileName: string;
  /** Fingerprint of the stored bytes, regardless of users' corrections: the identity of the file. */
  sha256: string;
  objectKey: string;
  dataRows: number;
  uploadedAt: Date;
  state: UploadState;
  /** Why it waits or ended early. */
  cause: Cause | null;
  /** Processes that began to read its file and did not come back from it. */
  readings: number;
  notes: InvoicesTables["upload"]["notes"]["__select__"];
  summary: Summary;
  stage: UploadStage;
  source: UploadSource;
  mode: UploadMode;
  /** Null for an upload that was never a check. */
  check: Check | null;
};

type Check = {
  /** Increased whenever the check's result changes. */
  revision: number;
  /** Uploads whose equal invoices no longer block this one's. */
  duplicatesAllowed: readonly string[];
  report: CheckFacts | null;
  changes: Change[];
  /** Cells that users corrected in the review. */
  corrections: Corrected[];
};

/** Whether it is, or will be, posted; users see it as an upload then. */
export const isConfirmed = ({ stage }: Pick<Upload, "stage">): boolean =>
  stage === "confirmed" || stage === "posting";

/** Whether its invoices are those of its latest plan. */
export const isPlanned = ({ stage }: Pick<Upload, "stage">): boolean =>
  stage === "review" || stage === "posting";

/** A user, or an API key, which has no id here. `name` is the user's e-mail. */
export type Uploader = { id: string | null; name: string };

type NewUpload = Omit<Upload, "readings" | "notes" | "state" | "cause" | "check" | "source"> & {
  source?: UploadSource;
  uploadedBy: Uploader;
  sizeBytes: number;
  /** The upload whose problem rows it contains. */
  fixes: string | null;
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
      uploaded_by: upload.uploadedBy.name,
      uploaded_by_id: upload.uploadedBy.id,
      uploaded_at: upload.uploadedAt,
      summary: toJson(upload.summary),
      stage: upload.stage,
      mode: upload.mode,
      ...(upload.source && { source: upload.source }),
      fixes: upload.fixes,
    })
    .execute();
  if (upload.stage === "checking") {
    const check = { realm_id: upload.realmId, upload_id: upload.id };
    await tables(tx).insertInto("upload_check").values(check).execute();
  }
  await raiseListVersion(tx, upload.realmId, isConfirmed(upload) ? 1 : 0);
}

export async function findUpload(db: Db, realmId: string, uploadId: string): Promise<Upload | null> {
  // One statement, because between two the check might end and posting begin.
  const { rows } = await sql<Omit<Upload, "state"> & { runState: RunState | null }>`select
      u.realm_id as "realmId", u.id, u.file_name as "fileName", u.sha256, u.object_key as "objectKey",
      u.data_rows as "dataRows", u.uploaded_at as "uploadedAt", u.readings, u.notes, u.summary, u.stage, u.source, u.mode,
      r.state as "runState", case when r.state in ('waiting', 'stopped') then r.cause end as cause,
      case when c.upload_id is not null then jsonb_build_object('revision', c.revision,
        'duplicatesAllowed', c.duplicates_allowed, 'report', c.report, 'changes', c.changes,
        'corrections', c.corrections) end as "check"
    from upload u
    left join upload_check c on c.realm_id = u.realm_id and c.upload_id = u.id
    left join lateral (select state, cause from run where run.realm_id = u.realm_id and run.subject = u.id
      and run.kind = ${postUploadRun.kind} order by requested_at desc limit 1) r on true
    where u.realm_id = ${realmId} and u.id = ${uploadId}::uuid`.execute(db);
  if (!rows[0]) return null;
  const { runState, ...upload } = rows[0];
  return { ...upload, state: shownState(runState, upload) };
}

/** State of the latest run as shown to users: a finished check is not "finished" until it is posted. */
function shownState(run: RunState | null, { stage, cause }: Pick<Upload, "stage" | "cause">): UploadState {
  if (run === "waiting") return waitingState(cause);
  if (run === "done") return stage === "review" ? "checked" : "finished";
  return run ?? "queued";
}

/**
 * Counts the uploads of a company and returns whether one is being processed or undone, and the version of
 * the list.
 */
export async function findListState(db: Db, realmId: string) {
  const { rows } = await sql<{ total: number; in_process: boolean; version: number }>`select
    coalesce((select total from upload_list where realm_id = ${realmId}), 0) as total,
    exists (select from run r join upload u on u.realm_id = r.realm_id and u.id = r.subject
      where r.realm_id = ${realmId} and u.stage in ('confirmed', 'posting') and r.state in ('queued', 'working', 'waiting')
        and (r.state <> 'waiting' or r.cause ->> 'code' <> all (${PAUSES}::text[]))) as in_process,
    coalesce((select version from upload_list where realm_id = ${realmId}), 0) as version`.execute(db);
  return rows[0] ?? { total: 0, in_process: false, version: 0 };
}

/** Counts the unfinished uploads of a company. */
export async function countOpenUploads(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from upload u
    where u.realm_id = ${realmId} and u.stage in ('confirmed', 'posting')
      and exists (select from run r where r.realm_id = u.realm_id and r.subject = u.id
        and r.kind = ${postUploadRun.kind} and r.state in ('queued', 'working', 'waiting'))`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Publishes a change of the list to its readers: the version is the list's ETag, and listening browsers
 * refetch.
 * @param added number of uploads added to the list; negative for removed ones
 */
export async function raiseListVersion(db: Db, realmId: string, added = 0): Promise<void> {
  await sql`insert into upload_list as list (realm_id, version, total) values (${realmId}, 1, ${added})
    on conflict (realm_id) do update set version = list.version + 1, total = list.total + excluded.total`.execute(
    db,
  );
  await publishChange(db, { realmId, kind: "invoices" });
}

/**
 * Serializes updates of an upload's summary until the transaction ends, so that none overwrites a later one.
 */
export const lockSummary = (tx: Db, { realmId, id }: UploadId) => lockName(tx, `summary ${realmId} ${id}`);

/**
 * Serializes a company's plans and undo requests until the transaction ends, because a plan depends on what
 * earlier uploads put in the books.
 */
export const lockPlans = (tx: Db, realmId: string) => lockName(tx, `plans ${realmId}`);

const lockName = (tx: Db, name: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);

/** Updates an upload. */
export async function changeUpload(
  db: Db,
  { realmId, id }: UploadId,
  change: Updateable<InvoicesTables["upload"]>,
): Promise<void> {
  await tables(db)
    .updateTable("upload")
    .set(change)
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
}

export async function saveSummary(db: Db, upload: UploadId, summary: Summary): Promise<void> {
  await changeUpload(db, upload, { summary: toJson(summary) });
  await raiseListVersion(db, upload.realmId);
}

/** Wakes uploads and undos that wait for a company's new authorization, in the transaction that stores it. */
export async function resumeUploads(tx: Db, { realmId, now }: { realmId: string; now: Date }): Promise<void> {
  const woken = await wakeRuns(tx, realmId, { causes: OUTAGES.map((code) => ({ code })), now });
  if (woken.length > 0) await raiseListVersion(tx, realmId);
}

/** Finds uploads from before a time whose file is still stored, and which no open run may read, oldest first. */
export const findOldFiles = (
  db: Db,
  before: Date,
  limit: number,
): Promise<(UploadId & { objectKey: string })[]> =>
  tables(db)
    .selectFrom("upload")
    .select(["realm_id as realmId", "id", "object_key as objectKey"])
    .where("file_removed_at", "is", null)
    .where("uploaded_at", "<", before)
    .where(
      sql<boolean>`not exists (select from run r where r.realm_id = upload.realm_id and r.subject = upload.id
        and r.kind = ${postUploadRun.kind} and r.state in ('queued', 'working', 'waiting'))`,
    )
    .orderBy("uploaded_at")
    .limit(limit)
    .execute();

/** Finds which keys belong to an upload. */
export async function findNeededKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables(db)
    .selectFrom("upload")
    .select("object_key")
    .where("file_removed_at", "is", null)
    .where("object_key", "in", [...keys])
    .execute();
  return new Set(rows.map((row) => row.object_key));
}

export const noUpload = () =>
  notFound("We can't find this upload. Reload the page to see the company's uploads.");

/** Bytes of the workbooks that are kept for a company. */
export async function measureWorkbooks(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{
    bytes: number;
  }>`select coalesce(sum(size_bytes), 0)::bigint as bytes from upload
    where realm_id = ${realmId} and file_removed_at is null`.execute(db);
  return rows[0]?.bytes ?? 0;
}
