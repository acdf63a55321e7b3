import { sql, type Selectable, type Updateable } from "kysely";
import type { OrderDocumentResult } from "#features/orders/contract.ts";
import type { FolderTables } from "#features/orders/folders/tables.ts";
import type { Db } from "#platform/db/connect.ts";

const tables = (db: Db) => db.withTables<FolderTables>();

export type StoredFolder = Selectable<FolderTables["order_folder"]>;

export const findFolder = (db: Db, realmId: string): Promise<StoredFolder | undefined> =>
  tables(db).selectFrom("order_folder").selectAll().where("realm_id", "=", realmId).executeTakeFirst();

/** Stores a company's folder in place of an earlier one. Its files must be seen twice again. */
export async function putFolder(
  tx: Db,
  folder: Omit<StoredFolder, "looks" | "failures" | "fault" | "polled_at" | "taken_up_to">,
): Promise<void> {
  const row = { ...folder, looks: "{}", failures: 0, fault: null, polled_at: null };
  await tables(tx)
    .insertInto("order_folder")
    .values(row)
    .onConflict((conflict) => conflict.column("realm_id").doUpdateSet(row))
    .execute();
}

/** @returns whether the company had one */
export async function dropFolder(tx: Db, realmId: string): Promise<boolean> {
  const { numDeletedRows } = await tables(tx)
    .deleteFrom("order_folder")
    .where("realm_id", "=", realmId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Folders that are to be looked at, the longest ago first; those of disconnected companies wait. */
export const findDueFolders = (db: Db, now: Date): Promise<StoredFolder[]> =>
  tables(db)
    .selectFrom("order_folder")
    .selectAll()
    .where("state", "!=", "stopped")
    .where("next_at", "<=", now)
    .where(
      sql<boolean>`exists (select from intuit_connection i where i.realm_id = order_folder.realm_id
        and i.state <> 'disconnected')`,
    )
    .orderBy("next_at")
    .execute();

/**
 * Changes a folder, unless it was saved again or removed since it was read.
 * @returns whether it was
 */
export async function changeFolder(
  db: Db,
  { realm_id: realmId, changed_at: changedAt }: Pick<StoredFolder, "realm_id" | "changed_at">,
  change: Updateable<FolderTables["order_folder"]>,
): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable("order_folder")
    .set(change)
    .where("realm_id", "=", realmId)
    .where("changed_at", "=", changedAt)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Lets the files of all folders that were taken since a time be taken again. */
export async function takeAgainSince(db: Db, since: Date): Promise<void> {
  await tables(db)
    .updateTable("order_folder")
    .set({ taken_up_to: stampName(since) })
    .execute();
}

/** "20261126T091500123Z", with which the names of taken files begin: they sort as they were taken. */
export const stampName = (at: Date): string => at.toISOString().replaceAll(/[-:.]/g, "");

/**
 * Finds what became of a file that was taken before, by its name and bytes. One that was refused before the last whole look was put
 * there again.
 */
export async function findTaken(
  db: Db,
  realmId: string,
  { name, bytes, polledAt }: { name: string; bytes: Buffer; polledAt: Date | null },
): Promise<{ results: OrderDocumentResult[]; reply: Buffer | null } | undefined> {
  const { rows } = await sql<{ results: OrderDocumentResult[]; reply: Buffer | null }>`select results, reply
    from order_document where realm_id = ${realmId} and channel = 'folder' and file_name = ${name}
      and content = ${bytes}
      and (received_at > ${polledAt} or results @? '$[*].result ? (@ <> "refused")')
    order by received_at desc limit 1`.execute(db);
  return rows[0];
}

/** The keys that sealed the secret of each account. */
export async function findFolderSeals(db: Db): Promise<StoredFolder[]> {
  return tables(db).selectFrom("order_folder").selectAll().where("secret_sealed", "!=", "").execute();
}
