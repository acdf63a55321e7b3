import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { NumberedCarton, UploadId } from "#features/labels/ledger/store.ts";

/** What the labels of an upload may be sorted by, in the order of the sheet. */
export async function listLabelKeys(
  db: Db,
  { realmId, id }: UploadId,
): Promise<{ seq: number; poNumber: string; markFor: string }[]> {
  const { rows } = await sql<{ seq: number; poNumber: string; markFor: string }>`select seq,
      po_number as "poNumber", mark_for as "markFor"
    from label where realm_id = ${realmId} and upload_id = ${id}::uuid order by seq`.execute(db);
  return rows;
}

/** Labels at some places of an upload, in the order that was asked for; a place that is asked for twice comes twice. */
export async function readLabelsAt(
  db: Db,
  { realmId, id }: UploadId,
  seqs: readonly number[],
): Promise<NumberedCarton[]> {
  const { rows } = await sql<NumberedCarton>`select label.seq, sscc, prefix, carton,
      carton_count as "cartonCount", content as row
    from unnest(${[...seqs]}::int[]) with ordinality as asked (seq, place)
    join label on label.realm_id = ${realmId} and label.upload_id = ${id}::uuid and label.seq = asked.seq
    order by asked.place`.execute(db);
  return rows;
}
