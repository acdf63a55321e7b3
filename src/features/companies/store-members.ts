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
export type Member = {
  userId: string | null;
  email: string;
  invitationId: string | null;
  invitedBy: string | null;
};

/** Finds members by the e-mail they last signed in with, or were invited with. */
export async function findMembersCalled(db: Db, realmId: string, email: string): Promise<Member[]> {
  const { rows } = await sql<Member>`select m.user_id as "userId", coalesce(u.email, m.email) as email,
      m.invitation_id as "invitationId", m.invited_by as "invitedBy"
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
    .values({
      realm_id: realmId,
      user_id: userId,
      email: null,
      invitation_id: null,
      invited_by: null,
      added_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await publishChange(db, { realmId, kind: "companies" });
}

type NewInvitation = { id: string; email: string; by: string | null; now: Date };

/** Invites a user who signs in with an e-mail. */
export async function addInvitation(
  db: Db,
  realmId: string,
  { id, email, by, now }: NewInvitation,
): Promise<void> {
  await tables(db)
    .insertInto("company_member")
    .values({
      realm_id: realmId,
      user_id: null,
      email,
      invitation_id: id,
      invited_by: by,
      added_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await publishChange(db, { realmId, kind: "companies" });
}

/** An open invitation. `by` and `admin` are e-mails. */
export type Invitation = {
  id: string;
  realmId: string;
  company: string;
  email: string;
  by: string | null;
  admin: string | null;
  invitedAt: Date;
};

/** Finds open invitations to connected companies, for an e-mail or by id. */
export async function findInvitations(
  db: Db,
  { email, id }: { email?: string; id?: string },
): Promise<Invitation[]> {
  const { rows } =
    await sql<Invitation>`select m.invitation_id as id, m.realm_id as "realmId", c.name as company,
      m.email, sender.email as by, admin.email as admin, m.added_at as "invitedAt"
    from company_member m
      join company c using (realm_id)
      join intuit_connection i using (realm_id)
      left join app_user sender on sender.id = m.invited_by
      left join app_user admin on admin.id = c.admin_id
    where m.invitation_id is not null and i.state <> 'disconnected'
      and (m.email = ${email ?? null} or m.invitation_id = ${id ?? null}::uuid)
    order by m.added_at desc, c.name`.execute(db);
  return rows;
}

/** Ends an invitation. @returns false if it was no longer open */
export async function removeInvitation(tx: Db, { realmId, id }: Invitation): Promise<boolean> {
  const { numDeletedRows } = await tables(tx)
    .deleteFrom("company_member")
    .where("realm_id", "=", realmId)
    .where("invitation_id", "=", id)
    .executeTakeFirstOrThrow();
  await publishChange(tx, { realmId, kind: "companies" });
  return numDeletedRows > 0n;
}

/** Ends one user's membership and notifies that user's pages. */
export async function removeMember(tx: Db, realmId: string, userId: string): Promise<void> {
  await tables(tx)
    .deleteFrom("company_member")
    .where("realm_id", "=", realmId)
    .where("user_id", "=", userId)
    .execute();
  await publishChange(tx, { realmId, kind: "companies", userIds: [userId] });
}

export async function countMembers(tx: Db, realmId: string): Promise<number> {
  const { count } = await tables(tx)
    .selectFrom("company_member")
    .select((each) => each.fn.countAll<number>().as("count"))
    .where("realm_id", "=", realmId)
    .where("user_id", "is not", null)
    .executeTakeFirstOrThrow();
  return count;
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
