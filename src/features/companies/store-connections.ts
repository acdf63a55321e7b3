import { sql, type Updateable } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { CompaniesTables } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables>();

export type Connection = CompaniesTables["intuit_connection"];

/** Stores a new authorization of a company and replaces an older one. */
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

/** Reads a connection and locks its row until the transaction ends, so that only one caller refreshes tokens. */
export const lockConnection = (tx: Db, realmId: string): Promise<Connection | undefined> =>
  selectConnection(tx, realmId).forUpdate().executeTakeFirst();

export async function changeConnection(
  db: Db,
  realmId: string,
  change: Updateable<Connection>,
): Promise<void> {
  await tables(db).updateTable("intuit_connection").set(change).where("realm_id", "=", realmId).execute();
  // Only state changes are published; tokens are renewed every hour.
  if (change.state) await publishChange(db, { realmId, kind: "companies" });
}

/** Finds connections in use whose tokens were sealed with another key. */
export async function findSealedByOtherKeys(db: Db, keyId: string): Promise<string[]> {
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

/** Finds the ids of the keys that sealed tokens of connections in use. */
export async function findUsedKeyIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct split_part(sealed, '.', 2) as id
    from intuit_connection, unnest(array[access_token_sealed, refresh_token_sealed]) as sealed
    where state = 'connected' order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Finds the check text sealed by each key, by key id. */
export async function findKeyChecks(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await tables(db).selectFrom("sealing_key").selectAll().execute();
  return new Map(rows.map((row) => [row.id, row.sealed_check]));
}

export async function saveKeyCheck(db: Db, id: string, sealedCheck: string): Promise<void> {
  await tables(db)
    .insertInto("sealing_key")
    .values({ id, sealed_check: sealedCheck })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ sealed_check: sealedCheck }))
    .execute();
}
