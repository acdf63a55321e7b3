import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";

/**
 * Finds the name of a company and the contacts for its connection: its admin and its contact
 * e-mail.
 */
export async function findContacts(
  db: Db,
  realmId: string,
): Promise<{ company: string; timeZone: string; recipients: string[] }> {
  const { rows } = await sql<{ company: string; timeZone: string; admin: string | null; contact: string }>`
    select c.name as company, c.time_zone as "timeZone", u.email as admin, c.contact_email as contact
    from company c left join app_user u on u.id = c.admin_id where c.realm_id = ${realmId}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`There is no company ${realmId}.`);
  const { company, timeZone, admin, contact } = row;
  return { company, timeZone, recipients: [...new Set([admin, contact])].flatMap((email) => email || []) };
}

type Due = { refreshedBefore: Date; endsBefore: Date; hardEnd: Date };

/**
 * Finds connections that have been idle for long, that would soon end by themselves, or that have
 * reached their hard end.
 */
export async function findIdleConnections(
  db: Db,
  { refreshedBefore, endsBefore, hardEnd }: Due,
): Promise<string[]> {
  const { rows } = await sql<{ realmId: string }>`select realm_id as "realmId" from intuit_connection
    where state = 'connected' and (refreshed_at <= ${refreshedBefore} or idle_ends_at <= ${endsBefore} or hard_ends_at <= ${hardEnd})
    order by idle_ends_at nulls first, refreshed_at`.execute(db);
  return rows.map(({ realmId }) => realmId);
}

/** Finds connections with a hard end before a time that no user was warned of. */
export async function findEnding(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ realmId: string }>`select realm_id as "realmId" from intuit_connection
    where state = 'connected' and hard_ends_at <= ${before} and end_announced_at is null order by hard_ends_at`.execute(
    db,
  );
  return rows.map(({ realmId }) => realmId);
}
