import { sql } from "kysely";
import type { Correction } from "#formats/table/corrections.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { LabelChoices } from "#features/labels/contract.ts";
import { KEEP_ENDED_MS, LABELS_AT_ONCE } from "#features/labels/limits.ts";
import { labelsRun } from "#features/labels/runs.ts";
import type {
  LabelRange,
  LabelUpload,
  NumberedCarton,
  Profile,
  ShipFrom,
  UploadId,
} from "#features/labels/types.ts";

/** Input of an upload's run besides its file. */
export type UploadRequest = {
  rows: "all" | "good";
  cells: readonly Correction[];
  choices: LabelChoices;
  userId: string | null;
  /** Id of the HTTP call, for the audit trail. */
  callId: string;
};

export type NewUpload = UploadId & {
  /** Names the file and is the subject of the run; new each time the upload is sent. */
  attempt: string;
  fileName: string;
  sizeBytes: number;
  uploadedBy: string;
  uploadedAt: Date;
  request: UploadRequest;
};

/** Reason why no labels were made, as replied to the caller. */
export type Refusal = { status: number; code: string; detail: string; retryAfterSeconds?: number };

export type UploadState = {
  state: "queued" | "made" | "refused";
  /** The upload that has the labels; null if there are none. */
  labelsOf: string | null;
  refusal: Refusal | null;
};

/** Result of an upload: its own labels, or those of an earlier upload with the same rows. */
export type MadeLabels =
  | { sameAs: string }
  | {
      fingerprint: string;
      labelCount: number;
      profile: Profile;
      shipFroms: Record<string, ShipFrom>;
      remarks: LabelUpload["remarks"];
    };

/** Adds a queued upload, or queues a refused one again. @returns false if it is already queued or made */
export async function addUpload(tx: Db, upload: NewUpload): Promise<boolean> {
  const { realmId, id, attempt, fileName, sizeBytes, uploadedBy, uploadedAt, request } = upload;
  const { rows } = await sql`insert into label_upload
      (realm_id, id, attempt, state, file_name, size_bytes, uploaded_by, uploaded_at, request)
    values (${realmId}, ${id}, ${attempt}, 'queued', ${fileName}, ${sizeBytes}, ${uploadedBy}, ${uploadedAt}, ${toJson(request)}::jsonb)
    on conflict (realm_id, id) do update set state = 'queued', attempt = excluded.attempt, file_name = excluded.file_name,
        size_bytes = excluded.size_bytes, uploaded_by = excluded.uploaded_by, uploaded_at = excluded.uploaded_at, request = excluded.request,
        refusal = null, refusal_answered = false, ended_at = null
      where label_upload.state = 'refused'
    returning id`.execute(tx);
  return rows.length > 0;
}

/** Reads the state without the request, whose corrections may be a megabyte: callers poll it every second. */
export async function findUploadState(db: Db, { realmId, id }: UploadId): Promise<UploadState | null> {
  const { rows } = await sql<UploadState>`select state, labels_of as "labelsOf", refusal from label_upload
    where realm_id = ${realmId} and id = ${id}::uuid`.execute(db);
  return rows[0] ?? null;
}

/** Finds the upload of a run while that attempt is queued. */
export async function findQueuedUpload(
  db: Db,
  { realmId, attempt }: { realmId: string; attempt: string },
): Promise<NewUpload | null> {
  const { rows } =
    await sql<NewUpload>`select realm_id as "realmId", id, attempt, file_name as "fileName", size_bytes as "sizeBytes",
      uploaded_by as "uploadedBy", uploaded_at as "uploadedAt", request
    from label_upload where realm_id = ${realmId} and attempt = ${attempt}::uuid and state = 'queued'`.execute(
      db,
    );
  return rows[0] ?? null;
}

export async function countQueued(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from label_upload
    where realm_id = ${realmId} and state = 'queued'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Ends a queued upload with its labels. */
export async function saveMade(
  tx: Db,
  { realmId, id }: UploadId,
  { made, now }: { made: MadeLabels; now: Date },
): Promise<void> {
  if ("sameAs" in made) {
    await sql`update label_upload set state = 'made', ended_at = ${now}, request = null, size_bytes = 0, labels_of = ${made.sameAs}
      where realm_id = ${realmId} and id = ${id}::uuid and state = 'queued'`.execute(tx);
    return;
  }
  const { fingerprint, labelCount, profile, shipFroms, remarks } = made;
  await sql`update label_upload set state = 'made', ended_at = ${now}, request = null, labels_of = id,
      fingerprint = ${fingerprint}, label_count = ${labelCount}, profile = ${toJson(profile)}::jsonb,
      ship_froms = ${toJson(shipFroms)}::jsonb, remarks = ${toJson(remarks)}::jsonb
    where realm_id = ${realmId} and id = ${id}::uuid and state = 'queued'`.execute(tx);
}

/** Ends a queued upload without labels. */
export async function saveRefusal(
  tx: Db,
  { realmId, id }: UploadId,
  { refusal, now }: { refusal: Refusal; now: Date },
): Promise<void> {
  await sql`update label_upload set state = 'refused', ended_at = ${now}, request = null, size_bytes = 0,
      refusal = ${toJson(refusal)}::jsonb
    where realm_id = ${realmId} and id = ${id}::uuid and state = 'queued'`.execute(tx);
}

/** Removes a refusal from the list after a caller received it. It stays readable until it is removed. */
export async function markRefusalAnswered(db: Db, { realmId, id }: UploadId): Promise<void> {
  await sql`update label_upload set refusal_answered = true where realm_id = ${realmId} and id = ${id}::uuid
    and state = 'refused'`.execute(db);
}

/** Removes refused uploads and finished runs after `KEEP_ENDED_MS`. */
export async function removeEnded(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEEP_ENDED_MS);
  await sql`delete from label_upload where state = 'refused' and ended_at < ${before}`.execute(db);
  await sql`delete from run where kind = ${labelsRun.kind} and finished_at < ${before}`.execute(db);
}

/** Finds which files belong to queued uploads. */
export async function findNeededFiles(db: Db, files: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ file: string }>`select realm_id || '-' || attempt as file from label_upload
    where state = 'queued' and realm_id || '-' || attempt = any (${[...files]}::text[])`.execute(db);
  return new Set(rows.map(({ file }) => file));
}

export type ListedUpload = Pick<NewUpload, "id" | "fileName" | "uploadedBy" | "uploadedAt"> &
  UploadState & { labelCount: number };

/**
 * Lists uploads, newest first, except answered refusals and those that reuse the labels of an earlier upload.
 */
export async function listUploads(db: Db, realmId: string, limit: number): Promise<ListedUpload[]> {
  const { rows } = await sql<ListedUpload>`select id, state, labels_of as "labelsOf", refusal,
      file_name as "fileName", uploaded_by as "uploadedBy", uploaded_at as "uploadedAt",
      coalesce(label_count, 0) as "labelCount"
    from label_upload where realm_id = ${realmId} and (labels_of is null or labels_of = id) and not refusal_answered
    order by uploaded_at desc, id limit ${limit}`.execute(db);
  return rows;
}

const MADE = sql`made.id, made.file_name as "fileName", made.profile, made.label_count as "labelCount",
  made.ship_froms as "shipFroms", made.uploaded_by as "madeBy", made.ended_at as "madeAt", made.remarks`;

/** Finds the labels of an upload; for rows that were uploaded before, those of the first upload. */
export async function findMadeUpload(db: Db, { realmId, id }: UploadId): Promise<LabelUpload | null> {
  const { rows } = await sql<LabelUpload>`select ${MADE} from label_upload upload
    join label_upload made on made.realm_id = upload.realm_id and made.id = upload.labels_of
    where upload.realm_id = ${realmId} and upload.id = ${id}::uuid`.execute(db);
  return rows[0] ?? null;
}

export async function findSameRows(
  db: Db,
  realmId: string,
  fingerprint: string,
): Promise<LabelUpload | null> {
  const { rows } = await sql<LabelUpload>`select ${MADE} from label_upload made
    where realm_id = ${realmId} and fingerprint = ${fingerprint}`.execute(db);
  return rows[0] ?? null;
}

/** Stores labels. Fails as a whole if any SSCC was used before. */
export async function addLabels(
  tx: Db,
  { realmId, id }: UploadId,
  cartons: readonly NumberedCarton[],
): Promise<void> {
  let sizeBytes = 0;
  for (let at = 0; at < cartons.length; at += LABELS_AT_ONCE) {
    const rows = cartons
      .slice(at, at + LABELS_AT_ONCE)
      .map(({ row, carton, cartonCount, sscc, seq, prefix }) => ({
        sscc,
        seq,
        prefix,
        po_number: row.poNumber,
        mark_for: row.markFor,
        carton,
        carton_count: cartonCount,
        content: row,
      }));
    const json = toJson(rows);
    sizeBytes += Buffer.byteLength(json);
    await sql`insert into label
        (realm_id, upload_id, sscc, seq, prefix, po_number, mark_for, carton, carton_count, content)
      select ${realmId}, ${id}::uuid, sscc, seq, prefix, po_number, mark_for, carton, carton_count, content
      from jsonb_to_recordset(${json}::jsonb) as row (sscc text, seq int, prefix text, po_number text,
        mark_for text, carton int, carton_count int, content jsonb)`.execute(tx);
  }
  await sql`update label_upload set size_bytes = ${sizeBytes} where realm_id = ${realmId} and id = ${id}::uuid`.execute(
    tx,
  );
}

/** Bytes of the queued sheets of a company, and of the labels made from others. */
export async function measureSheets(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(size_bytes), 0)::bigint as bytes
    from label_upload where realm_id = ${realmId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}

/** Finds which SSCCs are already used, with their purchase order and date. */
export async function findUsedSsccs(db: Db, realmId: string, ssccs: readonly string[]) {
  if (ssccs.length === 0) return [];
  const { rows } = await sql<{ sscc: string; poNumber: string; usedAt: Date }>`select label.sscc,
      label.po_number as "poNumber", upload.ended_at as "usedAt"
    from label join label_upload upload on upload.realm_id = label.realm_id and upload.id = label.upload_id
    where label.realm_id = ${realmId} and label.sscc = any (${[...ssccs]}::text[])`.execute(db);
  return rows;
}

/**
 * Reads labels at some places, in that order, as a JSON list that is parsed in the thread of the document,
 * not here.
 */
export async function readLabelsJson(
  db: Db,
  { realmId, id }: UploadId,
  seqs: readonly number[],
): Promise<string> {
  const { rows } = await sql<{ labels: string }>`select coalesce(json_agg(json_build_object('seq', label.seq,
      'sscc', sscc, 'prefix', prefix, 'carton', carton, 'cartonCount', carton_count, 'row', content)
      order by asked.place), '[]')::text as labels
    from unnest(${[...seqs]}::int[]) with ordinality as asked (seq, place)
    join label on label.realm_id = ${realmId} and label.upload_id = ${id}::uuid and label.seq = asked.seq`.execute(
    db,
  );
  return rows[0]?.labels ?? "[]";
}

/** Finds the places of the labels of a purchase order. */
export async function findRangesOfOrder(
  db: Db,
  { realmId, id }: UploadId,
  poNumber: string,
): Promise<LabelRange[]> {
  // Places that follow each other differ by as much as their counts do.
  const { rows } = await sql<LabelRange>`select min(seq) as first, max(seq) as last
    from (select seq, seq - row_number() over (order by seq) as block from label
      where realm_id = ${realmId} and upload_id = ${id}::uuid and po_number = ${poNumber}) numbered
    group by block order by first`.execute(db);
  return rows;
}

/** Labels of one purchase order, with their first and last SSCC. */
export type OrderOfUpload = {
  poNumber: string;
  count: number;
  firstSeq: number;
  firstSscc: string;
  lastSscc: string;
};

/** Lists orders in sheet order. */
export async function listOrders(db: Db, { realmId, id }: UploadId): Promise<OrderOfUpload[]> {
  const { rows } = await sql<OrderOfUpload>`select po_number as "poNumber", count(*)::int as count,
      min(seq) as "firstSeq", min(sscc) as "firstSscc", max(sscc) as "lastSscc"
    from label where realm_id = ${realmId} and upload_id = ${id}::uuid group by po_number order by min(seq)`.execute(
    db,
  );
  return rows;
}

/** Records a print. */
export async function addPrint(
  tx: Db,
  { realmId, id }: UploadId,
  print: { id: string; ranges: readonly LabelRange[]; by: string; at: Date },
): Promise<void> {
  const rows = print.ranges.map(({ first, last }) => ({ first, last }));
  await sql`insert into label_print (realm_id, upload_id, id, first_seq, last_seq, printed_by, printed_at)
    select ${realmId}, ${id}::uuid, ${print.id}::uuid, first, last, ${print.by}, ${print.at}
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as row (first int, last int)
    on conflict do nothing`.execute(tx);
}

/** Counts prints of an upload, or of one label of it. */
export async function countPrints(db: Db, { realmId, id }: UploadId, seq?: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct id)::int as count from label_print
    where realm_id = ${realmId} and upload_id = ${id}::uuid
      and ${seq === undefined ? sql`true` : sql`${seq} between first_seq and last_seq`}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** An SSCC with its carton, upload and prints. */
export type ExportedLabel = NumberedCarton & {
  fileName: string;
  madeBy: string;
  /** ISO 8601, UTC. */
  madeAt: string;
  prints: number;
};

type ExportPage = { realmId: string; uploadId: string | null; after: string; limit: number };

/**
 * Reads SSCCs after one, in order, each as a line of JSON: long lists are parsed in a thread, not here.
 * @param page.uploadId for those of one upload
 * @returns the last of them, null when there are no more
 */
export async function readExportJson(
  db: Db,
  { realmId, uploadId, after, limit }: ExportPage,
): Promise<{ labels: string; last: string | null }> {
  const { rows } = await sql<{ labels: string; last: string | null; count: number }>`
    select coalesce(string_agg(row_to_json(each)::text || chr(10), '' order by sscc), '') as labels, max(sscc) as last, count(*)::int as count
    from (select label.sscc, label.seq, label.prefix, label.carton, label.carton_count as "cartonCount",
        label.content as row, upload.file_name as "fileName", upload.uploaded_by as "madeBy",
        to_char(upload.ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "madeAt",
        (select count(*)::int from label_print print where print.realm_id = label.realm_id
          and print.upload_id = label.upload_id and label.seq between print.first_seq and print.last_seq) as prints
      from label join label_upload upload on upload.realm_id = label.realm_id and upload.id = label.upload_id
      where label.realm_id = ${realmId} and label.sscc > ${after}
        and ${uploadId === null ? sql`true` : sql`label.upload_id = ${uploadId}::uuid`}
      order by label.sscc limit ${limit}) each`.execute(db);
  const [page] = rows;
  return { labels: page?.labels ?? "", last: page && page.count >= limit ? page.last : null };
}
