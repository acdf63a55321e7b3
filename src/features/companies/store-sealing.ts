import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import type { CompaniesTables } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables>();

/** Ids of the keys that sealed the tokens of connections in use. */
export async function findUsedKeyIds(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct split_part(sealed, '.', 2) as id
    from intuit_connection, unnest(array[access_token_sealed, refresh_token_sealed]) as sealed
    where state = 'connected' order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** The known text as each key sealed it, by the key's id. */
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
