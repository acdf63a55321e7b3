import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

type NewGrant = { realmId: string; id: string; userId: string; reason: string; now: Date; endsAt: Date };

export async function addGrant(tx: Db, grant: NewGrant): Promise<void> {
  const { realmId, id, userId, reason, now, endsAt } = grant;
  await sql`insert into support_grant (realm_id, id, user_id, reason, started_at, ends_at)
    values (${realmId}, ${id}, ${userId}, ${reason}, ${now}, ${endsAt})`.execute(tx);
}

export type ActiveGrant = {
  id: string;
  userId: string;
  email: string;
  reason: string;
  startedAt: Date;
  endsAt: Date;
};

/** Finds the grants of a company that have not ended, newest first. */
export async function findActiveGrants(db: Db, realmId: string, now: Date): Promise<ActiveGrant[]> {
  const { rows } =
    await sql<ActiveGrant>`select g.id, g.user_id as "userId", u.email, g.reason, g.started_at as "startedAt",
      g.ends_at as "endsAt"
    from support_grant g join app_user u on u.id = g.user_id
    where g.realm_id = ${realmId} and g.ended_at is null and g.ends_at > ${now}
    order by g.started_at desc, g.id`.execute(db);
  return rows;
}

/**
 * Ends a grant.
 * @returns the operator's e-mail, and whether the grant was still active; null if there is no such grant
 */
export async function endGrant(tx: Db, realmId: string, { id, now }: { id: string; now: Date }) {
  const { rows } = await sql<{ email: string; wasActive: boolean }>`select u.email,
      g.ended_at is null and g.ends_at > ${now} as "wasActive"
    from support_grant g join app_user u on u.id = g.user_id
    where g.realm_id = ${realmId} and g.id = ${id}::uuid for update of g`.execute(tx);
  await sql`update support_grant set ended_at = ${now}
    where realm_id = ${realmId} and id = ${id}::uuid and ended_at is null`.execute(tx);
  return rows[0] ?? null;
}
