import type { Db } from "#platform/db/connect.ts";
import type { UploadId } from "#features/invoices/ledger/store.ts";
import type { InvoicesTables } from "#features/invoices/ledger/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

/** Some of the uploads from before a time whose file is still stored, the oldest first. */
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
    .orderBy("uploaded_at")
    .limit(limit)
    .execute();

/** Those of some keys that an upload needs. */
export async function findNeededKeys(db: Db, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tables(db)
    .selectFrom("upload")
    .select("object_key")
    .where("file_removed_at", "is", null)
    .where("object_key", "in", [...keys])
    .execute();
  return new Set(rows.map((row) => row.object_key));
}
