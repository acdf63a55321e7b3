import { sql, type ExpressionBuilder } from "kysely";
import type { Group } from "#contract/endpoint.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Ctx } from "#platform/ctx.ts";
import {
  AUTHORIZATION_LIFE_MS,
  MAX_SESSIONS,
  SESSION_IDLE_MS,
  SESSION_LIFE_MS,
  type User,
} from "#features/identity/rules.ts";
import type { IdentityTables } from "#features/identity/tables.ts";

const tables = (db: Db) => db.withTables<IdentityTables>();

const USER = ["app_user.id", "email", "first_name as firstName", "last_name as lastName", "groups"] as const;

/** Adds a user, or updates the one with this `sub` from a sign-in. */
export async function saveUser(
  db: Db,
  user: Omit<IdentityTables["app_user"], "created_at" | "updated_at" | "blocked_at" | "realm_id">,
  now: Date,
): Promise<User & { blockedAt: Date | null }> {
  const { email, first_name, last_name, groups } = user;
  return tables(db)
    .insertInto("app_user")
    .values({ ...user, created_at: now, updated_at: now, blocked_at: null, realm_id: null })
    .onConflict((conflict) =>
      conflict.column("intuit_sub").doUpdateSet({ email, first_name, last_name, groups, updated_at: now }),
    )
    .returning(USER)
    .returning("blocked_at as blockedAt")
    .executeTakeFirstOrThrow();
}

/** Lists all users by e-mail, each with the time of their last call and the number of their companies. */
export const listUsers = (db: Db) =>
  tables(db)
    .selectFrom("app_user")
    .select([
      "email",
      "first_name as firstName",
      "last_name as lastName",
      "groups",
      "blocked_at as blockedAt",
    ])
    .select([
      sql<Date | null>`(select max(last_seen_at) from session where user_id = app_user.id)`.as("lastSeenAt"),
      sql<number>`(select count(*) from company_member m where m.user_id = app_user.id)`.as("companies"),
    ])
    .orderBy("email")
    .orderBy("app_user.id")
    .execute();

/** Finds the users who last signed in with an e-mail. */
export async function findUserIds(db: Db, email: string): Promise<string[]> {
  const users = await tables(db).selectFrom("app_user").select("id").where("email", "=", email).execute();
  return users.map(({ id }) => id);
}

/** Finds the operators who can sign in, and locks them, so that two blocks at once don't leave none. */
export async function lockOperators(tx: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from app_user
    where 'admin' = any(groups) and blocked_at is null order by id for update`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Lists the emails of the operators who can sign in. */
export async function listOperators(db: Db): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`select distinct email from app_user
    where 'admin' = any(groups) and blocked_at is null order by email`.execute(db);
  return rows.map(({ email }) => email);
}

/** Keeps users from signing in from a time on; null lets them in. */
export async function setBlocked(db: Db, userIds: readonly string[], blockedAt: Date | null): Promise<void> {
  await tables(db)
    .updateTable("app_user")
    .set({ blocked_at: blockedAt })
    .where("id", "in", [...userIds])
    .execute();
}

/** Ends all sessions of users. @returns the number */
export async function endUserSessions(db: Db, userIds: readonly string[]): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom("session")
    .where("user_id", "in", [...userIds])
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Removes a group from all users except those with some e-mails. */
export async function withdrawGroup(db: Db, group: Group, emails: readonly string[]): Promise<void> {
  await sql`update app_user set groups = array_remove(groups, ${group}::text)
    where ${group} = any(groups) and email <> all(${[...emails]}::text[])`.execute(db);
}

/** Finds a session; blocked users have none. */
export const findSession = (db: Db, idHash: Buffer) =>
  tables(db)
    .selectFrom("session")
    .innerJoin("app_user", "app_user.id", "session.user_id")
    .select(USER)
    .select(["session.realm_id as realmId", "session.created_at as createdAt", "last_seen_at as lastSeenAt"])
    .where("id_hash", "=", idHash)
    .where("app_user.blocked_at", "is", null)
    .executeTakeFirst();

/** Excludes expired sessions that have not been removed yet. */
const hasNotEnded = (now: Date) => (row: ExpressionBuilder<IdentityTables, "session">) =>
  row.and([
    row("session.last_seen_at", ">", new Date(now.getTime() - SESSION_IDLE_MS)),
    row("session.created_at", ">", new Date(now.getTime() - SESSION_LIFE_MS)),
  ]);

type NewSession = { idHash: Buffer; userId: string; realmId: string | null; device: string; now: Date };

/** Adds a session and ends the user's oldest ones beyond the limit. */
export async function addSession(
  db: Db,
  { idHash, userId, realmId, device, now }: NewSession,
): Promise<void> {
  await tables(db)
    .insertInto("session")
    .values({
      id_hash: idHash,
      user_id: userId,
      realm_id: realmId,
      device,
      created_at: now,
      last_seen_at: now,
    })
    .execute();
  await tables(db)
    .deleteFrom("session")
    .where("user_id", "=", userId)
    .where("id_hash", "in", (each) =>
      each
        .selectFrom("session")
        .select("id_hash")
        .where("user_id", "=", userId)
        .orderBy((row) => row("id_hash", "=", idHash), "desc")
        .orderBy("created_at", "desc")
        .offset(MAX_SESSIONS),
    )
    .execute();
}

/** Finds the live sessions of a user, last used first. */
export const findUserSessions = (db: Db, userId: string, now: Date) =>
  tables(db)
    .selectFrom("session")
    .select(["id_hash as idHash", "device", "created_at as createdAt", "last_seen_at as lastSeenAt"])
    .where("user_id", "=", userId)
    .where(hasNotEnded(now))
    .orderBy("last_seen_at", "desc")
    .execute();

/** Ends one session of a user or all but one. @returns the number */
export async function removeUserSessions(
  db: Db,
  userId: string,
  which: { only: Buffer } | { allBut: Buffer },
): Promise<number> {
  const { numDeletedRows } = await tables(db)
    .deleteFrom("session")
    .where("user_id", "=", userId)
    .where("id_hash", "only" in which ? "=" : "!=", "only" in which ? which.only : which.allBut)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export async function touchSession(db: Db, idHash: Buffer, now: Date): Promise<void> {
  await tables(db).updateTable("session").set({ last_seen_at: now }).where("id_hash", "=", idHash).execute();
}

/** Makes a company the default of a session, and of the sessions the user begins later. */
export async function setSessionRealm(
  tx: Db,
  { idHash, userId }: { idHash: Buffer; userId: string },
  realmId: string,
): Promise<void> {
  await tables(tx).updateTable("session").set({ realm_id: realmId }).where("id_hash", "=", idHash).execute();
  await tables(tx).updateTable("app_user").set({ realm_id: realmId }).where("id", "=", userId).execute();
}

/** Removes a session. @returns its user; null if there was none */
export async function removeSession(db: Db, idHash: Buffer): Promise<string | null> {
  const row = await tables(db)
    .deleteFrom("session")
    .where("id_hash", "=", idHash)
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Removes expired sessions and authorization requests. */
export async function removeSessions({ db, clock }: Pick<Ctx, "db" | "clock">): Promise<void> {
  const before = (ms: number) => new Date(clock.now().getTime() - ms);
  await tables(db)
    .deleteFrom("session")
    .where((row) =>
      row.or([
        row("last_seen_at", "<", before(SESSION_IDLE_MS)),
        row("created_at", "<", before(SESSION_LIFE_MS)),
      ]),
    )
    .execute();
  await tables(db)
    .deleteFrom("authorization_request")
    .where("created_at", "<", before(AUTHORIZATION_LIFE_MS))
    .execute();
}

export type AuthorizationRequest = IdentityTables["authorization_request"];

export async function addAuthorizationRequest(db: Db, authorization: AuthorizationRequest): Promise<void> {
  await tables(db).insertInto("authorization_request").values(authorization).execute();
}

/** Reads and deletes an authorization request, so that it works once. Deletes expired ones too. */
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

/** Finds first and last names by user id; omits users without a name. */
export async function findUserNames(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const users = await tables(db)
    .selectFrom("app_user")
    .select(["id", "first_name as firstName", "last_name as lastName"])
    .where("id", "in", [...new Set(ids)])
    .execute();
  const named = users.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`.trim()] as const);
  return new Map(named.filter(([, name]) => name !== ""));
}
