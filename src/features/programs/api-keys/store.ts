import type { Selectable } from "kysely";
import type { Group } from "#contract/endpoint.ts";
import type { ProgramsTables } from "#features/programs/tables.ts";
import type { Db } from "#platform/db/connect.ts";

const tables = (db: Db) => db.withTables<ProgramsTables & Connections>();

/** Columns of connections and users that keys depend on. */
type Connections = {
  intuit_connection: { realm_id: string; state: string };
  app_user: { id: string; groups: readonly Group[]; blocked_at: Date | null };
};

export type StoredKey = Selectable<ProgramsTables["company_key"]>;

export async function addKey(tx: Db, key: StoredKey): Promise<void> {
  await tables(tx).insertInto("company_key").values(key).execute();
}

/** Keys of a company: those in use, then the latest revoked ones. */
export const findKeys = (db: Db, realmId: string, limit: number): Promise<StoredKey[]> =>
  tables(db)
    .selectFrom("company_key")
    .selectAll()
    .where("realm_id", "=", realmId)
    .orderBy("revoked_at", (order) => order.desc().nullsFirst())
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();

/** Marks a key as revoked. @returns its name; null if it was revoked before, undefined if the company has no such key */
export async function markRevoked(
  tx: Db,
  { realmId, id, now }: { realmId: string; id: string; now: Date },
): Promise<string | null | undefined> {
  const key = await tables(tx)
    .selectFrom("company_key")
    .select(["name", "revoked_at"])
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!key) return undefined;
  if (key.revoked_at !== null) return null;
  await tables(tx)
    .updateTable("company_key")
    .set({ revoked_at: now })
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
  return key.name;
}

/** Marks all keys of a company as revoked. */
export async function revokeAllKeys(tx: Db, realmId: string, now: Date): Promise<void> {
  await tables(tx)
    .updateTable("company_key")
    .set({ revoked_at: now })
    .where("realm_id", "=", realmId)
    .where("revoked_at", "is", null)
    .execute();
}

/** Finds the key in use with a secret, and the groups of its maker, null while they are blocked, if its company is not disconnected. */
export const findKeyBySecret = (db: Db, secretHash: Buffer) =>
  tables(db)
    .selectFrom("company_key")
    .innerJoin("intuit_connection", "intuit_connection.realm_id", "company_key.realm_id")
    .leftJoin("app_user", (join) =>
      join.onRef("app_user.id", "=", "maker_id").on("app_user.blocked_at", "is", null),
    )
    .select(["company_key.realm_id", "company_key.id", "name", "scopes", "last_used_at", "groups"])
    .where("secret_hash", "=", secretHash)
    .where("revoked_at", "is", null)
    .where("intuit_connection.state", "!=", "disconnected")
    .executeTakeFirst();

export async function noteUse(
  db: Db,
  { realmId, id, now }: { realmId: string; id: string; now: Date },
): Promise<void> {
  await tables(db)
    .updateTable("company_key")
    .set({ last_used_at: now })
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
}
