import type { Db } from "#platform/db/connect.ts";
import type { InvoicesTables } from "#features/invoices/ledger/tables.ts";

const tables = (db: Db) => db.withTables<InvoicesTables>();

export type StoredFile = { realmId: string; id: string; objectKey: string };

/** Some of the uploads from before a time whose file is still stored, the oldest first. */
export async function findOldFiles(db: Db, before: Date, limit: number): Promise<StoredFile[]> {
  const rows = await tables(db)
    .selectFrom("upload")
    .select(["realm_id", "id", "object_key"])
    .where("file_removed_at", "is", null)
    .where("uploaded_at", "<", before)
    .orderBy("uploaded_at")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ realmId: row.realm_id, id: row.id, objectKey: row.object_key }));
}

/** Notes that the file of an upload is gone. */
export async function markFileRemoved(db: Db, { realmId, id }: StoredFile, now: Date): Promise<void> {
  await tables(db)
    .updateTable("upload")
    .set({ file_removed_at: now })
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
}

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
