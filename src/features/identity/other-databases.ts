import type { IdentityTables } from "#features/identity/tables.ts";
import type { Db } from "#platform/db/connect.ts";

const tables = (db: Db) => db.withTables<IdentityTables>();

/** Company chosen last in a session and its user; undefined for an ended one. */
export const findSessionRealm = (db: Db, idHash: Buffer) =>
  tables(db)
    .selectFrom("session")
    .select(["user_id as userId", "realm_id as realmId"])
    .where("id_hash", "=", idHash)
    .executeTakeFirst();

/** Company that a user last worked in. */
export async function findLastRealm(db: Db, userId: string): Promise<string | null> {
  const row = await tables(db)
    .selectFrom("app_user")
    .select("realm_id")
    .where("id", "=", userId)
    .executeTakeFirst();
  return row?.realm_id ?? null;
}

/** Copies a user to another database, whose rows name them by id. */
export async function copyUser(from: Db, to: Db, userId: string): Promise<void> {
  const {
    groups: _groups,
    realm_id: _realm,
    ...user
  } = await tables(from)
    .selectFrom("app_user")
    .selectAll()
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  const { id: _id, created_at: _at, ...changes } = user;
  // Groups count where users sign in, so a copy has none.
  await tables(to)
    .insertInto("app_user")
    .values({ ...user, groups: [], realm_id: null })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
}
