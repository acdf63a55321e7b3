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

/** Those of some companies whose connection is in a state. */
export async function findRealmsInState(
  db: Db,
  realmIds: readonly string[],
  state: ConnectionState,
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("intuit_connection")
    .select("realm_id")
    .where("realm_id", "in", [...realmIds])
    .where("state", "=", state)
    .execute();
  return rows.map((row) => row.realm_id);
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
