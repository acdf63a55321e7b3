import type { Db } from "#platform/db/connect.ts";
import type { User } from "#features/identity/rules.ts";
import type { IdentityTables } from "#features/identity/tables.ts";

const tables = (db: Db) => db.withTables<IdentityTables>();

type UserRow = Pick<IdentityTables["app_user"], "id" | "email" | "first_name" | "last_name" | "groups">;

/** Adds a user, or renews name and e-mail of the one with this `sub`; groups of a known user stay. */
export async function saveUser(
  db: Db,
  user: {
    id: string;
    sub: string;
    email: string;
    firstName: string;
    lastName: string;
    groups: User["groups"];
    now: Date;
  },
): Promise<User> {
  const row = await tables(db)
    .insertInto("app_user")
    .values({
      id: user.id,
      intuit_sub: user.sub,
      email: user.email,
      first_name: user.firstName,
      last_name: user.lastName,
      groups: [...user.groups],
      created_at: user.now,
      updated_at: user.now,
    })
    .onConflict((conflict) =>
      conflict.column("intuit_sub").doUpdateSet({
        email: user.email,
        first_name: user.firstName,
        last_name: user.lastName,
        updated_at: user.now,
      }),
    )
    .returning(["id", "email", "first_name", "last_name", "groups"])
    .executeTakeFirstOrThrow();
  return toUser(row);
}

export type StoredSession = { user: User; realmId: string | null; createdAt: Date; lastSeenAt: Date };

export async function findSession(db: Db, idHash: Buffer): Promise<StoredSession | null> {
  const row = await tables(db)
    .selectFrom("session")
    .innerJoin("app_user", "app_user.id", "session.user_id")
    .select(["app_user.id", "email", "first_name", "last_name", "groups"])
    .select(["session.realm_id", "session.created_at as session_created_at", "session.last_seen_at"])
    .where("id_hash", "=", idHash)
    .executeTakeFirst();
  if (!row) return null;
  return {
    user: toUser(row),
    realmId: row.realm_id,
    createdAt: row.session_created_at,
    lastSeenAt: row.last_seen_at,
  };
}

export async function addSession(
  db: Db,
  session: { idHash: Buffer; userId: string; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto("session")
    .values({
      id_hash: session.idHash,
      user_id: session.userId,
      realm_id: null,
      created_at: session.now,
      last_seen_at: session.now,
    })
    .execute();
}

export async function touchSession(db: Db, idHash: Buffer, now: Date): Promise<void> {
  await tables(db).updateTable("session").set({ last_seen_at: now }).where("id_hash", "=", idHash).execute();
}

export async function setSessionRealm(db: Db, idHash: Buffer, realmId: string): Promise<void> {
  await tables(db).updateTable("session").set({ realm_id: realmId }).where("id_hash", "=", idHash).execute();
}

/** @returns whose session it was, null when there is none */
export async function removeSession(db: Db, idHash: Buffer): Promise<string | null> {
  const row = await tables(db)
    .deleteFrom("session")
    .where("id_hash", "=", idHash)
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Removes what has outlived its use: sessions older than either limit, and unused authorization requests. */
export async function removeOutlived(
  db: Db,
  limits: { seenBefore: Date; signedInBefore: Date; askedBefore: Date },
): Promise<void> {
  await tables(db)
    .deleteFrom("session")
    .where((row) =>
      row.or([row("last_seen_at", "<", limits.seenBefore), row("created_at", "<", limits.signedInBefore)]),
    )
    .execute();
  await tables(db).deleteFrom("authorization_request").where("created_at", "<", limits.askedBefore).execute();
}

export type AuthorizationRequest = IdentityTables["authorization_request"];

export async function addAuthorizationRequest(db: Db, authorization: AuthorizationRequest): Promise<void> {
  await tables(db).insertInto("authorization_request").values(authorization).execute();
}

/** Takes an authorization request out, so that it is good once, and drops those that are past their time. */
export async function takeAuthorizationRequest(
  db: Db,
  stateHash: Buffer,
  oldest: Date,
): Promise<AuthorizationRequest | null> {
  const authorization = await tables(db)
    .deleteFrom("authorization_request")
    .where("state_hash", "=", stateHash)
    .returningAll()
    .executeTakeFirst();
  await tables(db).deleteFrom("authorization_request").where("created_at", "<", oldest).execute();
  return authorization && authorization.created_at >= oldest ? authorization : null;
}

function toUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    groups: row.groups,
  };
}
