import { sql, type Selectable, type Updateable } from "kysely";
import type { TrackingTables } from "#features/tracking/tables.ts";
import type { Db } from "#platform/db/connect.ts";

const tables = (db: Db) => db.withTables<TrackingTables>();

export type FollowedCompany = Selectable<TrackingTables["tracking_company"]>;

/** Adds a company that is followed for the first time. @param reads that it may make at once */
export async function addFollowed(
  tx: Db,
  realmId: string,
  { reads, now }: { reads: number; now: Date },
): Promise<void> {
  await sql`insert into tracking_company (realm_id, reads_left, reads_at, digest_at)
    values (${realmId}, ${reads}, ${now}, ${now}) on conflict do nothing`.execute(tx);
}

export const findFollowed = (db: Db, realmId: string): Promise<FollowedCompany | undefined> =>
  tables(db).selectFrom("tracking_company").selectAll().where("realm_id", "=", realmId).executeTakeFirst();

/** Reads a company and locks its row until the transaction ends: changes that wake its run wait. */
export const lockFollowed = (tx: Db, realmId: string): Promise<FollowedCompany> =>
  tables(tx)
    .selectFrom("tracking_company")
    .selectAll()
    .where("realm_id", "=", realmId)
    .forUpdate()
    .executeTakeFirstOrThrow();

export async function changeFollowed(
  tx: Db,
  realmId: string,
  change: Updateable<TrackingTables["tracking_company"]>,
): Promise<void> {
  await tables(tx).updateTable("tracking_company").set(change).where("realm_id", "=", realmId).execute();
}

/** Notes until when labels were linked, unless that changed since it was read: then earlier ones are to be linked too. */
export async function changeLabelsAt(
  tx: Db,
  { realm_id: realmId, labels_at: readAt }: Pick<FollowedCompany, "realm_id" | "labels_at">,
  now: Date,
): Promise<void> {
  await tables(tx)
    .updateTable("tracking_company")
    .set({ labels_at: now })
    .where("realm_id", "=", realmId)
    .where("labels_at", "is not distinct from", readAt)
    .execute();
}

/** Takes metered reads off those that a company may make. It owes none: after lost answers invoices must still be found soon. */
export async function spendReads(tx: Db, realmId: string, reads: number): Promise<void> {
  await sql`update tracking_company set reads_left = greatest(0, reads_left - ${reads}) where realm_id = ${realmId}`.execute(
    tx,
  );
}

/** Notes that a user asked for a check. @returns false if one was asked for since `before` */
export async function markAsked(
  tx: Db,
  realmId: string,
  { now, before }: { now: Date; before: Date },
): Promise<boolean> {
  const { rows } = await sql`update tracking_company set asked_at = ${now}
    where realm_id = ${realmId} and (asked_at is null or asked_at <= ${before}) returning realm_id`.execute(
    tx,
  );
  return rows.length > 0;
}

/**
 * Notes that invoices of a company changed.
 * @param created ids of new invoices, if there are no other changes; else null
 */
export async function markInvoicesChanged(
  tx: Db,
  realmId: string,
  { created, now }: { created: readonly string[] | null; now: Date },
): Promise<void> {
  const ids = sql`${created && [...created]}::text[]`;
  await sql`update tracking_company set changed_at = coalesce(changed_at, ${now}),
      changed_new = case when changed_at is null then ${ids} when changed_new is not null and ${ids} is not null
        then changed_new || ${ids} end
    where realm_id = ${realmId}`.execute(tx);
}

/** Drops reports of new invoices that are known here, as those that an upload posted: they cost no read. */
export async function dropReportsOfKnownInvoices(tx: Db, realmId: string): Promise<void> {
  await sql`update tracking_company c set changed_at = null, changed_new = null
    where realm_id = ${realmId} and changed_new <@ array(select qbo_id from tracked_invoice t
      where t.realm_id = c.realm_id and t.qbo_id = any (c.changed_new))`.execute(tx);
}

/** Companies with the service whose run must be added or woken: they have no open one, or packages that changed. */
export async function findUnwatched(db: Db, { kind, now }: { kind: string; now: Date }): Promise<string[]> {
  const { rows } = await sql<{ realm_id: string }>`select distinct s.realm_id from company_service s
    join intuit_connection i on i.realm_id = s.realm_id and i.state <> 'disconnected'
    where s.service = 'tracking' and s.state = 'active' and (s.until is null or s.until > ${now})
      and (not exists (select from run r where r.realm_id = s.realm_id and r.kind = ${kind}
          and r.state in ('queued', 'working', 'waiting'))
        or exists (select from package p where p.realm_id = s.realm_id and p.invoice_changed))`.execute(db);
  return rows.map((row) => row.realm_id);
}

type Due = { proofAt: Date | null; isChanged: boolean; isDirty: boolean };

/** Finds what of a company is due: a proof, packages that changed, or an invoice whose writes are to be planned. */
export async function findDue(tx: Db, realmId: string): Promise<Due> {
  const { rows } = await sql<Due>`select
      (select min(t.due_at) from tracked_proof t join package p on p.realm_id = t.realm_id and p.number = t.number
        and p.of_invoice where t.realm_id = ${realmId} and t.due_at is not null) as "proofAt",
      exists (select from package where realm_id = ${realmId} and invoice_changed) as "isChanged",
      exists (select from tracked_invoice i where realm_id = ${realmId} and dirty
        and not exists (select from tracking_write w where w.realm_id = i.realm_id and w.qbo_id = i.qbo_id
          and w.state = 'open')) as "isDirty"`.execute(tx);
  return rows[0] ?? { proofAt: null, isChanged: false, isDirty: false };
}
