import type { Insertable } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { AuditTables } from "#features/audit/tables.ts";

/** Adds an entry; the table takes nothing else. */
export async function addEntry(db: Db, entry: Insertable<AuditTables["audit_entry"]>): Promise<void> {
  await db.withTables<AuditTables>().insertInto("audit_entry").values(entry).execute();
}
