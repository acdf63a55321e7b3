import { toJson } from "#platform/db/json.ts";
import type { Db } from "#platform/db/connect.ts";
import {
  endingColumns,
  SENDING_COLUMNS,
  toSending,
  type Sending,
  type Settlement,
} from "#features/invoices/post/store-ledger.ts";
import type { UploadId } from "#features/invoices/store.ts";
import type { InvoicesTables } from "#features/invoices/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** An invoice of which QuickBooks never told whether it was stored, and its upload. */
export type Unknown = { uploadId: string; invoice: Sending };

/** A company's invoices of unknown end, the newest first. */
export async function findUnknown(
  db: Db,
  realmId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<Unknown[]> {
  const rows = await tables(db)
    .selectFrom("upload_invoice")
    .select([...SENDING_COLUMNS, "upload_id"])
    .where("realm_id", "=", realmId)
    .where("state", "=", "unknown")
    .where("sent_at", ">=", since)
    .orderBy("sent_at", "desc")
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ uploadId: row.upload_id, invoice: toSending(row) }));
}

/** Writes that an invoice of unknown end was found in the books; one that is known meanwhile stays as it is. */
export async function settleUnknown(
  tx: Db,
  upload: UploadId,
  { settlement, now }: { settlement: Settlement; now: Date },
): Promise<void> {
  await tables(tx)
    .updateTable("upload_invoice")
    .set({
      ...endingColumns(settlement),
      differences: toJson(settlement.differences ?? []),
      settled_at: now,
    })
    .where("realm_id", "=", upload.realmId)
    .where("upload_id", "=", upload.id)
    .where("invoice_key", "=", settlement.key)
    .where("state", "=", "unknown")
    .execute();
}
