import { sql } from "kysely";
import type { Correction } from "#formats/table/corrections.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { LabelChoices } from "#features/labels/contract.ts";

/** One request for labels of a company, by the id that whoever asks gave it. */
export type PrintId = { realmId: string; printId: string };

/** What of a sheet becomes labels, and how. */
export type AskedLabels = {
  rows: "all" | "good";
  cells: readonly Correction[];
  choices: LabelChoices;
};

export type NewRequest = PrintId &
  AskedLabels & {
    /** Its run's subject, and the name of its file. */
    id: string;
    fileName: string;
    askedBy: string;
    askedAt: Date;
    userId: string | null;
    /** The call it came with. */
    callId: string;
  };

/** Why no labels were made, as whoever asks is answered. */
export type Refusal = { status: number; code: string; detail: string; retryAfterSeconds?: number };

/** What became of it: labels of an upload, or none and why. */
export type Outcome = { uploadId: string } | { refusal: Refusal };

/** Both null while labels are being made of it. */
export type RequestState = { uploadId: string | null; refusal: Refusal | null };

export type LabelRequest = NewRequest & RequestState;

/** As it is listed. */
type ListedRequest = Pick<NewRequest, "printId" | "fileName" | "askedBy" | "askedAt"> & RequestState;

export const hasEnded = ({ uploadId, refusal }: RequestState): boolean =>
  uploadId !== null || refusal !== null;

/** @returns false when there is one with this print id already */
export async function addRequest(tx: Db, request: NewRequest): Promise<boolean> {
  const { realmId, id, printId, fileName, rows, cells, choices, askedBy, askedAt, userId, callId } = request;
  const added = await sql`insert into label_request
      (realm_id, id, print_id, file_name, rows, cells, choices, asked_by, asked_at, user_id, call_id)
    values (${realmId}, ${id}, ${printId}, ${fileName}, ${rows}, ${toJson(cells)}::jsonb, ${toJson(choices)}::jsonb,
      ${askedBy}, ${askedAt}, ${userId}, ${callId})
    on conflict do nothing returning id`.execute(tx);
  return added.rows.length > 0;
}

/** Asked each second by all who wait: without what was corrected of the sheet, which may be a megabyte. */
export async function findRequest(db: Db, { realmId, printId }: PrintId): Promise<RequestState | null> {
  const { rows } = await sql<RequestState>`select upload_id as "uploadId", refusal from label_request
    where realm_id = ${realmId} and print_id = ${printId}::uuid`.execute(db);
  return rows[0] ?? null;
}

/** The request that a run is about. */
export async function findRequestOf(
  db: Db,
  { realmId, subject }: { realmId: string; subject: string },
): Promise<LabelRequest | null> {
  const { rows } = await sql<LabelRequest>`select realm_id as "realmId", id, print_id as "printId",
      file_name as "fileName", rows, cells, choices, asked_by as "askedBy", asked_at as "askedAt",
      user_id as "userId", call_id as "callId", upload_id as "uploadId", refusal
    from label_request where realm_id = ${realmId} and id = ${subject}::uuid`.execute(db);
  return rows[0] ?? null;
}

/** How many of a company are open. */
export async function countOpenRequests(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from label_request
    where realm_id = ${realmId} and upload_id is null and not is_answered and refusal is null`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Writes what became of a request, unless that is written already; what was corrected of its sheet is not needed then. */
export async function endRequest(
  tx: Db,
  { realmId, id }: LabelRequest,
  { outcome, now }: { outcome: Outcome; now: Date },
): Promise<void> {
  const uploadId = "uploadId" in outcome ? outcome.uploadId : null;
  const refusal = "refusal" in outcome ? toJson(outcome.refusal) : null;
  await sql`update label_request set ended_at = ${now}, upload_id = ${uploadId}, refusal = ${refusal}::jsonb,
      cells = '[]'
    where realm_id = ${realmId} and id = ${id}::uuid and ended_at is null`.execute(tx);
}

/** Notes that somebody was answered why no labels were made. */
export async function markAnswered(db: Db, { realmId, printId }: PrintId): Promise<void> {
  await sql`update label_request set is_answered = true
    where realm_id = ${realmId} and print_id = ${printId}::uuid and not is_answered`.execute(db);
}

/** Those that are open, or ended without labels while nobody looked; the newest first. */
export async function listRequests(db: Db, realmId: string, limit: number): Promise<ListedRequest[]> {
  const { rows } = await sql<ListedRequest>`select print_id as "printId", file_name as "fileName",
      asked_by as "askedBy", asked_at as "askedAt", upload_id as "uploadId", refusal
    from label_request where realm_id = ${realmId} and upload_id is null and not is_answered
    order by asked_at desc limit ${limit}`.execute(db);
  return rows;
}

/** Forgets a request, and its run, that was refused because of a failure on our side. */
export async function removeFailedRequest(tx: Db, { realmId, printId }: PrintId): Promise<void> {
  await sql`with old as (delete from label_request where realm_id = ${realmId} and print_id = ${printId}::uuid
      and (refusal ->> 'status')::int >= 500 returning realm_id, id)
    delete from run using old where run.realm_id = old.realm_id and run.subject = old.id`.execute(tx);
}

/** Forgets requests that ended before a time, and their runs. */
export async function removeEndedRequests(db: Db, before: Date): Promise<void> {
  await sql`with old as (delete from label_request where ended_at < ${before} returning realm_id, id)
    delete from run using old where run.realm_id = old.realm_id and run.subject = old.id`.execute(db);
}

/** Those of some ids whose request is open, and so needs its file. */
export async function findOpenIds(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select id from label_request
    where id::text = any (${[...ids]}::text[]) and ended_at is null`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
