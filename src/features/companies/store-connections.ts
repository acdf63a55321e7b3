import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { CompaniesTables, ConnectionState } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables>();

export type Connection = CompaniesTables["intuit_connection"];

/** Stores a fresh authorisation of a company, in place of an older one. */
export async function saveConnection(db: Db, connection: Connection): Promise<void> {
  const { realm_id: _realmId, ...renewed } = connection;
  await tables(db)
    .insertInto("intuit_connection")
    .values(connection)
    .onConflict((conflict) => conflict.column("realm_id").doUpdateSet(renewed))
    .execute();
}

export async function findConnection(db: Db, realmId: string): Promise<Connection | null> {
  const row = await tables(db)
    .selectFrom("intuit_connection")
    .selectAll()
    .where("realm_id", "=", realmId)
    .executeTakeFirst();
  return row ?? null;
}

/** Reads a connection and holds its row until the transaction ends: whoever refreshes tokens is alone. */
export async function lockConnection(tx: Db, realmId: string): Promise<Connection | null> {
  const row = await tables(tx)
    .selectFrom("intuit_connection")
    .selectAll()
    .where("realm_id", "=", realmId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

type Tokens = Pick<
  Connection,
  | "access_token_sealed"
  | "access_expires_at"
  | "refresh_token_sealed"
  | "refresh_expires_at"
  | "refresh_hard_expires_at"
>;

export async function saveTokens(
  db: Db,
  realmId: string,
  tokens: Tokens & { updated_at: Date },
): Promise<void> {
  await tables(db).updateTable("intuit_connection").set(tokens).where("realm_id", "=", realmId).execute();
}

/** Stores the same tokens under other seals. */
export async function storeSealed(
  tx: Db,
  realmId: string,
  sealed: Pick<Connection, "access_token_sealed" | "refresh_token_sealed"> &
    Partial<Pick<Connection, "access_expires_at">>,
): Promise<void> {
  await tables(tx).updateTable("intuit_connection").set(sealed).where("realm_id", "=", realmId).execute();
}

export async function setConnectionState(
  db: Db,
  realmId: string,
  change: { state: ConnectionState; now: Date },
): Promise<void> {
  await tables(db)
    .updateTable("intuit_connection")
    .set({ state: change.state, updated_at: change.now })
    .where("realm_id", "=", realmId)
    .execute();
}

/** Forgets both tokens of a connection; what is left opens nothing. */
export async function dropTokens(db: Db, realmId: string): Promise<void> {
  await tables(db)
    .updateTable("intuit_connection")
    .set({ access_token_sealed: "", refresh_token_sealed: "" })
    .where("realm_id", "=", realmId)
    .execute();
}

/** Connections in use after a realm, whose tokens were sealed with another key than this one. */
export async function findSealedByOthers(
  db: Db,
  keyId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("intuit_connection")
    .select("realm_id")
    .where("state", "=", "connected")
    .where("realm_id", ">", after)
    .where(
      sql<boolean>`${keyId} <> any(array[split_part(access_token_sealed, '.', 2), split_part(refresh_token_sealed, '.', 2)])`,
    )
    .orderBy("realm_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.realm_id);
}
