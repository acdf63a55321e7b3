import { sql } from "kysely";
import type { ProblemFacts } from "#features/sheets/reading.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { Carton, ShipFrom } from "#features/labels/layout/rules-content.ts";
import type { Profile } from "#features/labels/layout/rules-profiles.ts";
import { LABELS_AT_ONCE } from "#features/labels/limits.ts";
import type { LabelRow } from "#features/labels/sheet/rules-row.ts";

/** A sheet that became labels. */
export type LabelUpload = {
  id: string;
  fileName: string;
  profile: string;
  /** The profile as it was then; null for labels of before own profiles were there. */
  printedBy: Profile | null;
  labelCount: number;
  /** By code; the company's first one under "". */
  shipFroms: Record<string, ShipFrom>;
  madeBy: string;
  madeAt: Date;
  /** What was said of the sheet, and stopped nothing. */
  remarks: readonly ProblemFacts[];
};

export type UploadId = { realmId: string; id: string };

const UPLOAD = sql`id, file_name as "fileName", profile, printed_by as "printedBy",
  label_count as "labelCount", ship_froms as "shipFroms",
  made_by as "madeBy", made_at as "madeAt", remarks`;

export async function findLabelUpload(db: Db, { realmId, id }: UploadId): Promise<LabelUpload | null> {
  const { rows } = await sql<LabelUpload>`select ${UPLOAD} from label_upload
    where realm_id = ${realmId} and id = ${id}::uuid`.execute(db);
  return rows[0] ?? null;
}

export async function findSameRows(
  db: Db,
  realmId: string,
  fingerprint: string,
): Promise<LabelUpload | null> {
  const { rows } = await sql<LabelUpload>`select ${UPLOAD} from label_upload
    where realm_id = ${realmId} and fingerprint = ${fingerprint}`.execute(db);
  return rows[0] ?? null;
}

/** @returns false when the same rows became labels before; then waits for whoever is making them now */
export async function addLabelUpload(
  tx: Db,
  realmId: string,
  { upload, fingerprint }: { upload: LabelUpload; fingerprint: string },
): Promise<boolean> {
  const { id, fileName, profile, printedBy, labelCount, shipFroms, madeBy, madeAt, remarks } = upload;
  const { rows } = await sql`insert into label_upload
      (realm_id, id, fingerprint, file_name, profile, printed_by, label_count, ship_froms, made_by, made_at,
      remarks)
    values (${realmId}, ${id}, ${fingerprint}, ${fileName}, ${profile}, ${toJson(printedBy)}::jsonb, ${labelCount}, ${toJson(shipFroms)}::jsonb,
      ${madeBy}, ${madeAt}, ${toJson(remarks)}::jsonb)
    on conflict (realm_id, fingerprint) do nothing returning id`.execute(tx);
  return rows.length > 0;
}

/** A carton at its place in its upload; `prefix` is the company's, by which its number is read. */
export type NumberedCarton = Carton & { seq: number; prefix: string };

/** Stores labels, few with each statement. A number that was used before fails all of it. */
export async function addLabels(tx: Db, id: UploadId, cartons: readonly NumberedCarton[]): Promise<void> {
  for (let at = 0; at < cartons.length; at += LABELS_AT_ONCE)
    await addSome(tx, id, cartons.slice(at, at + LABELS_AT_ONCE));
}

async function addSome(tx: Db, { realmId, id }: UploadId, cartons: readonly NumberedCarton[]): Promise<void> {
  const rows = cartons.map(({ row, carton, cartonCount, sscc, seq, prefix }) => ({
    sscc,
    seq,
    prefix,
    po_number: row.poNumber,
    mark_for: row.markFor,
    carton,
    carton_count: cartonCount,
    content: row,
  }));
  await sql`insert into label
      (realm_id, upload_id, sscc, seq, prefix, po_number, mark_for, carton, carton_count, content)
    select ${realmId}, ${id}::uuid, sscc, seq, prefix, po_number, mark_for, carton, carton_count, content
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as row
      (sscc text, seq int, prefix text, po_number text, mark_for text, carton int, carton_count int, content jsonb)`.execute(
    tx,
  );
}

/** Notes that labels were printed; what is noted already counts once. */
export async function addPrint(
  tx: Db,
  { realmId, id }: UploadId,
  print: { id: string; ranges: readonly { first: number; last: number }[]; by: string; at: Date },
): Promise<void> {
  const rows = print.ranges.map(({ first, last }) => ({ first, last }));
  await sql`insert into label_print (realm_id, upload_id, id, first_seq, last_seq, printed_by, printed_at)
    select ${realmId}, ${id}::uuid, ${print.id}::uuid, first, last, ${print.by}, ${print.at}
    from jsonb_to_recordset(${toJson(rows)}::jsonb) as row (first int, last int)
    on conflict do nothing`.execute(tx);
}

/** How often labels of an upload were printed. */
export async function countPrints(db: Db, { realmId, id }: UploadId): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct id)::int as count from label_print
    where realm_id = ${realmId} and upload_id = ${id}::uuid`.execute(db);
  return rows[0]?.count ?? 0;
}

/** How often one label was printed. */
export async function countPrintsOf(db: Db, { realmId, id }: UploadId, seq: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from label_print
    where realm_id = ${realmId} and upload_id = ${id}::uuid and ${seq} between first_seq and last_seq`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Places of the labels of a purchase order, in order. */
export async function listPlaces(db: Db, { realmId, id }: UploadId, poNumber: string): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`select seq from label
    where realm_id = ${realmId} and upload_id = ${id}::uuid and po_number = ${poNumber} order by seq`.execute(
    db,
  );
  return rows.map(({ seq }) => seq);
}

/** The newest first. */
export async function listLabelUploads(db: Db, realmId: string, limit: number): Promise<LabelUpload[]> {
  const { rows } = await sql<LabelUpload>`select ${UPLOAD} from label_upload
    where realm_id = ${realmId} order by made_at desc, id limit ${limit}`.execute(db);
  return rows;
}

/** Those of some numbers that a label has, with its purchase order and since when. */
export async function findUsedSsccs(
  db: Db,
  realmId: string,
  ssccs: readonly string[],
): Promise<{ sscc: string; poNumber: string; usedAt: Date }[]> {
  if (ssccs.length === 0) return [];
  const { rows } = await sql<{ sscc: string; poNumber: string; usedAt: Date }>`select label.sscc,
      label.po_number as "poNumber", upload.made_at as "usedAt"
    from label join label_upload upload on upload.realm_id = label.realm_id and upload.id = label.upload_id
    where label.realm_id = ${realmId} and label.sscc = any (${[...ssccs]}::text[])`.execute(db);
  return rows;
}

/** Labels of an upload from one place on, in order. */
export async function readLabels(
  db: Db,
  { realmId, id }: UploadId,
  { from, limit }: { from: number; limit: number },
): Promise<NumberedCarton[]> {
  const { rows } = await sql<
    Omit<NumberedCarton, "row"> & { row: LabelRow }
  >`select seq, sscc, prefix, carton,
      carton_count as "cartonCount", content as row
    from label where realm_id = ${realmId} and upload_id = ${id}::uuid and seq >= ${from}
    order by seq limit ${limit}`.execute(db);
  return rows;
}

/** Cartons of one purchase order, with the first and the last of their numbers. */
export type OrderOfUpload = {
  poNumber: string;
  count: number;
  firstSeq: number;
  firstSscc: string;
  lastSscc: string;
};

/** In the order of the sheet. */
export async function listOrders(db: Db, { realmId, id }: UploadId): Promise<OrderOfUpload[]> {
  const { rows } = await sql<OrderOfUpload>`select po_number as "poNumber", count(*)::int as count,
      min(seq) as "firstSeq", min(sscc) as "firstSscc", max(sscc) as "lastSscc"
    from label where realm_id = ${realmId} and upload_id = ${id}::uuid group by po_number order by min(seq)`.execute(
    db,
  );
  return rows;
}
