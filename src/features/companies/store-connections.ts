import { sql, type Updateable } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { CompaniesTables } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables>();

export type Connection = CompaniesTables["intuit_connection"];

/** Stores a fresh authorization of a company, in place of an older one. */
export async function saveConnection(db: Db, connection: Connection): Promise<void> {
  await tables(db)
    .insertInto("intuit_connection")
    .values(connection)
    .onConflict((conflict) => conflict.column("realm_id").doUpdateSet(connection))
    .execute();
  await publishChange(db, { realmId: connection.realm_id, kind: "companies" });
}

const selectConnection = (db: Db, realmId: string) =>
  tables(db).selectFrom("intuit_connection").selectAll().where("realm_id", "=", realmId);

export const findConnection = (db: Db, realmId: string): Promise<Connection | undefined> =>
  selectConnection(db, realmId).executeTakeFirst();

/** Reads a connection and holds its row until the transaction ends: whoever refreshes tokens is alone. */
export const lockConnection = (tx: Db, realmId: string): Promise<Connection | undefined> =>
  selectConnection(tx, realmId).forUpdate().executeTakeFirst();

export async function changeConnection(
  db: Db,
  realmId: string,
  change: Updateable<Connection>,
): Promise<void> {
  await tables(db).updateTable("intuit_connection").set(change).where("realm_id", "=", realmId).execute();
  // Tokens are renewed each hour, and that is no news.
  if (change.state) await publishChange(db, { realmId, kind: "companies" });
}

/** Connections in use whose tokens were sealed with another key than this one. */
export async function findSealedByOthers(db: Db, keyId: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("intuit_connection")
    .select("realm_id")
    .where("state", "=", "connected")
    .where(
      sql<boolean>`${keyId} <> any(array[split_part(access_token_sealed, '.', 2), split_part(refresh_token_sealed, '.', 2)])`,
    )
    .execute();
  return rows.map((row) => row.realm_id);
}
