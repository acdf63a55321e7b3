import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { LABELS_AT_ONCE } from "#features/labels/limits.ts";

/** An SSCC, what it is on, where it comes from, and how often it was printed. */
export type TrailEntry = {
  sscc: string;
  poNumber: string;
  markFor: string;
  carton: number | null;
  cartonCount: number | null;
  fileName: string;
  row: number;
  reference: string;
  madeBy: string;
  madeAt: Date;
  prints: number;
};

/** Some of a company's SSCCs behind one, in order. */
export async function readTrail(db: Db, realmId: string, after: string): Promise<TrailEntry[]> {
  const { rows } =
    await sql<TrailEntry>`select label.sscc, label.po_number as "poNumber", label.mark_for as "markFor",
      label.carton, label.carton_count as "cartonCount", upload.file_name as "fileName",
      (label.content ->> 'row')::int as row, label.content ->> 'reference' as reference,
      upload.made_by as "madeBy", upload.made_at as "madeAt",
      (select count(*)::int from label_print print where print.realm_id = label.realm_id
        and print.upload_id = label.upload_id and label.seq between print.first_seq and print.last_seq) as prints
    from label join label_upload upload on upload.realm_id = label.realm_id and upload.id = label.upload_id
    where label.realm_id = ${realmId} and label.sscc > ${after}
    order by label.sscc limit ${LABELS_AT_ONCE}`.execute(db);
  return rows;
}
