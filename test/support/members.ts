import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

/** Makes a user a member of a company: the one who signed in with an e-mail, else the next one who does. */
export const addMember = (db: Db, realmId: string, email: string) =>
  sql`insert into company_member (realm_id, user_id, email, added_at)
    select ${realmId}, u.id, case when u.id is null then ${email} end, now()
    from (select 1) one left join app_user u on u.email = ${email}`.execute(db);

/** Removes a user from every company. */
export const removeMember = (db: Db, email: string) =>
  sql`delete from company_member
    where email = ${email} or user_id in (select id from app_user u where u.email = ${email})`.execute(db);

/** Gives every user these groups and no other. */
export const setGroups = (db: Db, groups: readonly string[]) =>
  sql`update app_user set groups = ${[...groups]}::text[]`.execute(db);

/** Makes sessions older by an interval as PostgreSQL writes it: since they began, or since their last call. */
export const ageSessions = (db: Db, interval: string, since: "created_at" | "last_seen_at" = "created_at") =>
  sql`update session set ${sql.ref(since)} = ${sql.ref(since)} - ${interval}::interval`.execute(db);

/** Gives a company the Tracking Service without payment. */
export async function grantTracking(db: Db, realmId: string): Promise<void> {
  await sql`insert into company_service (realm_id, service, state, source, reason, changed_at)
    values (${realmId}, 'tracking', 'active', 'granted', 'A test', now())`.execute(db);
}
