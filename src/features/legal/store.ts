import type { Db } from "#platform/db/connect.ts";
import type { ContactMessage } from "#features/legal/contract.ts";

type LegalTables = {
  contact_message: ContactMessage & { id: string; sent_at: Date };
};

const tables = (db: Db) => db.withTables<LegalTables>();

export type StoredMessage = LegalTables["contact_message"];

export async function addMessage(db: Db, message: StoredMessage): Promise<void> {
  await tables(db).insertInto("contact_message").values(message).execute();
}

/** Deletes messages sent before a time. */
export async function removeMessages(db: Db, before: Date): Promise<void> {
  await tables(db).deleteFrom("contact_message").where("sent_at", "<", before).execute();
}
