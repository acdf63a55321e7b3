import { sql } from "kysely";
import { acceptInvitation, addUser, listInvitations } from "#features/companies/contract.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Browser } from "./browser.ts";
import type { TestApp } from "./start-app.ts";

/** Makes the user who signed in with an e-mail a member of a company. */
export async function addMember(db: Db, realmId: string, email: string): Promise<void> {
  const { numAffectedRows } = await sql`insert into company_member (realm_id, user_id, added_at)
    select ${realmId}, id, now() from app_user where email = ${email}`.execute(db);
  if (numAffectedRows !== 1n) throw new Error(`No user signed in as ${email}.`);
}

/** Accepts every open invitation of a signed-in user. */
export async function acceptAll(browser: Browser): Promise<void> {
  const { invitations } = (await browser.call(listInvitations)).json() as { invitations: { id: string }[] };
  for (const { id } of invitations) await browser.call(acceptInvitation, { query: { invitation: id } });
}

/** A browser of a user whom a company's admin invited, and who accepted. */
export async function joinAs(
  app: Pick<TestApp, "browser">,
  admin: Browser,
  { realmId, email }: { realmId: string; email: string },
): Promise<Browser> {
  await admin.call(addUser, { query: { realm_id: realmId, email } });
  const browser = app.browser();
  await browser.signIn(email);
  await acceptAll(browser);
  return browser;
}

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
    values (${realmId}, 'tracking', 'active', 'granted', 'A test', now()) on conflict do nothing`.execute(db);
}
