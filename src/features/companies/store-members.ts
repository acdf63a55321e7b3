import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { CompaniesTables } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables>();

/** Finds which of some users are members of a company. */
export async function findMembersAmong(
  db: Db,
  realmId: string,
  { userIds, isDisconnectedToo }: { userIds: readonly string[]; isDisconnectedToo: boolean },
): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("company_member")
    .innerJoin("intuit_connection", "intuit_connection.realm_id", "company_member.realm_id")
    .select("user_id as userId")
    .where("company_member.realm_id", "=", realmId)
    .$if(!isDisconnectedToo, (query) => query.where("intuit_connection.state", "!=", "disconnected"))
    .where("user_id", "in", [...userIds])
    .execute();
  return rows.flatMap(({ userId }) => userId ?? []);
}

/** A member of a company: a user or an open invitation. */
export type Member = { userId: string | null; email: string };

/** Finds members by the e-mail they last signed in with, or were invited with. */
export async function findMembersCalled(db: Db, realmId: string, email: string): Promise<Member[]> {
  const { rows } = await sql<Member>`select m.user_id as "userId", coalesce(u.email, m.email) as email
    from company_member m left join app_user u on u.id = m.user_id
    where m.realm_id = ${realmId} and coalesce(u.email, m.email) = ${email}`.execute(db);
  return rows;
}

/** Makes a user a member. */
export async function addMember(
  db: Db,
  realmId: string,
  { userId, now }: { userId: string; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto("company_member")
    .values({ realm_id: realmId, user_id: userId, email: null, added_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await publishChange(db, { realmId, kind: "companies" });
}

/** Adds an invitation for the next user who signs in with an e-mail. */
export async function addInvitation(
  db: Db,
  realmId: string,
  { email, now }: { email: string; now: Date },
): Promise<void> {
  await tables(db)
    .insertInto("company_member")
    .values({ realm_id: realmId, user_id: null, email, added_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await publishChange(db, { realmId, kind: "companies" });
}

/** Turns invitations for a user's e-mail into memberships; drops those for companies they are already a member of. */
export async function bindInvitations(tx: Db, user: { id: string; email: string }): Promise<void> {
  await sql`delete from company_member m where email = ${user.email} and exists
    (select from company_member mine where mine.realm_id = m.realm_id and mine.user_id = ${user.id})`.execute(
    tx,
  );
  const bound = await tables(tx)
    .updateTable("company_member")
    .set({ user_id: user.id, email: null })
    .where("email", "=", user.email)
    .returning("realm_id as realmId")
    .execute();
  for (const { realmId } of bound) await publishChange(tx, { realmId, kind: "companies" });
}

/** Removes users and invitations with an e-mail from a company. Removed users receive the change as well. */
export async function removeMembers(tx: Db, realmId: string, email: string): Promise<void> {
  const { rows } = await sql<{ userId: string | null }>`delete from company_member where realm_id = ${realmId}
    and (email = ${email} or user_id in (select id from app_user where app_user.email = ${email}))
    returning user_id as "userId"`.execute(tx);
  const userIds = rows.flatMap(({ userId }) => userId ?? []);
  await publishChange(tx, { realmId, kind: "companies", userIds });
}

/** Removes all members and invitations from a company. */
export async function removeAllMembers(tx: Db, realmId: string): Promise<void> {
  const members = await tables(tx)
    .deleteFrom("company_member")
    .where("realm_id", "=", realmId)
    .returning("user_id as userId")
    .execute();
  const userIds = members.flatMap(({ userId }) => userId ?? []);
  await publishChange(tx, { realmId, kind: "companies", userIds });
}
