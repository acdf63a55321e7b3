import type { Db } from "#platform/db/connect.ts";
import type { LegalTables } from "#features/legal/tables.ts";

const tables = (db: Db) => db.withTables<LegalTables>();

export type StoredMessage = LegalTables["contact_message"];

export async function addMessage(db: Db, message: StoredMessage): Promise<void> {
  await tables(db).insertInto("contact_message").values(message).execute();
}

/** The latest messages, the newest first. */
export async function findMessages(db: Db, limit: number): Promise<StoredMessage[]> {
  return tables(db)
    .selectFrom("contact_message")
    .selectAll()
    .orderBy("sent_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();
}
