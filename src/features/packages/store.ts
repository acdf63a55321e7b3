import { sql, type Selectable } from "kysely";
import { pollRun } from "#features/packages/runs.ts";
import type { PackageTables } from "#features/packages/tables.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { requestRun } from "#platform/runs/store.ts";

const tables = (db: Db) => db.withTables<PackageTables>();

export type StoredPackage = Selectable<PackageTables["package"]>;
export type PackageId = Pick<StoredPackage, "realm_id" | "number">;

/**
 * Packages that are due, in turns of their companies: the longest due of each, then the second of each. Those of invoices are
 * polled only while their company has the Tracking Service.
 */
export async function listDuePackages(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<StoredPackage[]> {
  const { rows } = await sql<StoredPackage>`select p.* from carrier_link c
    cross join lateral (select exists (select from company_service s where s.realm_id = c.realm_id
      and s.service = 'tracking' and s.state = 'active' and (s.until is null or s.until > ${now})) as is_on) service
    cross join lateral (select d.*, row_number() over (order by d.next_poll_at) as turn from package d
      where d.realm_id = c.realm_id and d.next_poll_at <= ${now} and (d.of_label or service.is_on)
      order by d.next_poll_at limit ${limit}) p
    order by p.turn, p.next_poll_at limit ${limit}`.execute(db);
  return rows;
}

/** Locks a package until the transaction ends: an answer and an event are stored one after the other. */
export const lockPackage = (tx: Db, id: PackageId): Promise<StoredPackage | undefined> =>
  tables(tx)
    .selectFrom("package")
    .selectAll()
    .where("realm_id", "=", id.realm_id)
    .where("number", "=", id.number)
    .forUpdate()
    .executeTakeFirst();

export async function changePackage(
  tx: Db,
  id: PackageId,
  { activities, delivered, due_hours, ...change }: Partial<StoredPackage>,
): Promise<void> {
  await tables(tx)
    .updateTable("package")
    .set({
      ...change,
      ...(activities && { activities: toJson(activities) }),
      ...(delivered !== undefined && { delivered: delivered && toJson(delivered) }),
      ...(due_hours !== undefined && { due_hours: due_hours && toJson(due_hours) }),
    })
    .where("realm_id", "=", id.realm_id)
    .where("number", "=", id.number)
    .execute();
}

/** Lets due packages of a company wait after a failure. */
export async function postponePolls(
  db: Db,
  realmId: string,
  { now, until, problem }: { now: Date; until: Date; problem: StoredPackage["poll_problem"] },
): Promise<void> {
  await tables(db)
    .updateTable("package")
    .set({ next_poll_at: until, poll_problem: problem })
    .where("realm_id", "=", realmId)
    .where("next_poll_at", "<=", now)
    .execute();
}

/** Whether UPS answered about any package of a company after a time. */
export async function isAnsweredSince(db: Db, realmId: string, since: Date): Promise<boolean> {
  const row = await tables(db)
    .selectFrom("package")
    .select("number")
    .where("realm_id", "=", realmId)
    .where("polled_at", ">=", since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Why packages of a company's invoices could not be polled last; null if they could. */
export async function findPollProblem(db: Db, realmId: string): Promise<StoredPackage["poll_problem"]> {
  const row = await tables(db)
    .selectFrom("package")
    .select("poll_problem")
    .where("realm_id", "=", realmId)
    .where("poll_problem", "is not", null)
    .where("of_invoice", "=", true)
    .where("next_poll_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row?.poll_problem ?? null;
}

/** Lets a company's packages be polled now, or those with some numbers. */
export async function pollSooner(
  tx: Db,
  realmId: string,
  { now, numbers }: { now: Date; numbers?: readonly string[] },
): Promise<void> {
  let update = tables(tx)
    .updateTable("package")
    .set({ next_poll_at: now })
    .where("realm_id", "=", realmId)
    .where("next_poll_at", ">", now);
  if (numbers) update = update.where("number", "in", [...numbers]);
  await update.execute();
  await requestRun(tx, pollRun, now);
}

/** Companies that still ask about a number. */
export async function findFollowers(db: Db, number: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("package")
    .select("realm_id")
    .where("number", "=", number)
    .where("next_poll_at", "is not", null)
    .execute();
  return rows.map((row) => row.realm_id);
}

/** UPS scans a package some hours after its label at the earliest. */
const FIRST_POLL_MS = 3_600_000;

/** Adds the packages of labels made here. */
export async function addLabelPackages(
  tx: Db,
  realmId: string,
  { numbers, now }: { numbers: readonly string[]; now: Date },
): Promise<void> {
  const pollAt = new Date(now.getTime() + FIRST_POLL_MS);
  // UPS's test environment gives all packages one number.
  await sql`insert into package (realm_id, number, of_label, state, state_at, added_at, next_poll_at)
    select distinct ${realmId}, n, true, 'label_created', ${now}::timestamptz, ${now}::timestamptz, ${pollAt}::timestamptz
    from unnest(${[...numbers]}::text[]) as n
    on conflict (realm_id, number) do update set of_label = true, label_changed = package.scanned_at is not null,
      state = case when package.state in ('unknown', 'not_found', 'voided') then 'label_created' else package.state end,
      next_poll_at = least(package.next_poll_at, excluded.next_poll_at)`.execute(tx);
}

/** Records that UPS voided packages. */
export async function voidPackages(
  tx: Db,
  realmId: string,
  { numbers, now }: { numbers: readonly string[]; now: Date },
): Promise<void> {
  await sql`update package set state = 'voided', state_at = ${now}, next_poll_at = null, label_changed = false,
      invoice_changed = of_invoice
    where realm_id = ${realmId} and number = any (${[...numbers]}::text[]) and state <> 'voided'`.execute(tx);
}

/** Adds packages that invoices name; they are polled once they are followed. */
export async function addInvoicePackages(
  tx: Db,
  realmId: string,
  { numbers, now }: { numbers: readonly string[]; now: Date },
): Promise<void> {
  await sql`insert into package (realm_id, number, added_at) select distinct ${realmId}, n, ${now}::timestamptz
    from unnest(${[...numbers]}::text[]) as n on conflict do nothing`.execute(tx);
}

/** Follows packages that an invoice in the books has, and no longer those that none has. */
export async function followPackages(
  tx: Db,
  realmId: string,
  { followed, dropped, now }: { followed: readonly string[]; dropped: readonly string[]; now: Date },
): Promise<void> {
  const { numAffectedRows } =
    await sql`update package set of_invoice = true, invoice_changed = true, next_poll_at = case
      when state not in ('delivered', 'voided', 'ended') then least(next_poll_at, ${now}) end
    where realm_id = ${realmId} and number = any (${[...followed]}::text[]) and not of_invoice`.execute(tx);
  if (numAffectedRows) await requestRun(tx, pollRun, now);
  await sql`update package set of_invoice = false, invoice_changed = false,
      next_poll_at = case when of_label then next_poll_at end
    where realm_id = ${realmId} and number = any (${[...dropped]}::text[]) and of_invoice`.execute(tx);
}

/** Takes a company's packages with which its invoices have yet to be compared. */
export async function takeInvoiceChanges(
  tx: Db,
  realmId: string,
): Promise<Pick<StoredPackage, "number" | "state">[]> {
  const { rows } = await sql<
    Pick<StoredPackage, "number" | "state">
  >`update package set invoice_changed = false
    where realm_id = ${realmId} and invoice_changed returning number, state`.execute(tx);
  return rows;
}

/** Packages of labels, of all companies, with which their purchases have yet to be compared. */
export const listLabelChanges = (db: Db, limit: number): Promise<StoredPackage[]> =>
  tables(db)
    .selectFrom("package")
    .selectAll()
    .where("label_changed", "=", true)
    .orderBy("realm_id")
    .orderBy("number")
    .limit(limit)
    .execute();

/** Notes that a purchase was compared with a package, unless that changed since it was read. */
export async function clearLabelChange(db: Db, known: StoredPackage): Promise<void> {
  await sql`update package set label_changed = false where realm_id = ${known.realm_id} and number = ${known.number}
    and state = ${known.state} and scanned_at is not distinct from ${known.scanned_at}`.execute(db);
}

/** Packages on their way for which UPS sends no events, or not for long. One that UPS refused once is not tried again. */
export async function listUnsubscribed(
  db: Db,
  realmId: string,
  { endsBefore, limit }: { endsBefore: Date; limit: number },
): Promise<string[]> {
  const until = sql`coalesce(pushed_until, '1970-01-01 00:00:00+00'::timestamptz)`;
  const { rows } = await sql<{ number: string }>`select number from package
    where realm_id = ${realmId} and next_poll_at is not null and of_invoice
      and ${until} > '-infinity' and ${until} < ${endsBefore}
    order by ${until} limit ${limit}`.execute(db);
  return rows.map((row) => row.number);
}

/** Forgets that UPS sends the events of a company's packages until a time, and lets them be polled. */
export async function forgetSubscribed(
  db: Db,
  realmId: string,
  { until, now }: { until: Date; now: Date },
): Promise<void> {
  await sql`update package set pushed_until = null, next_poll_at = least(next_poll_at, ${now})
    where realm_id = ${realmId} and pushed_until = ${until} and next_poll_at is not null`.execute(db);
}

/** The same for subscriptions of all companies whose credential another key than the first signed: without it, their events are refused. */
export async function forgetSignedBefore(db: Db, { key, now }: { key: string; now: Date }): Promise<void> {
  await sql`update package set pushed_until = null, next_poll_at = least(next_poll_at, ${now})
    where pushed_key <> ${key} and pushed_until > ${now} and next_poll_at is not null`.execute(db);
}

/**
 * Notes until when UPS sends the events of packages, and lets them be polled.
 * @param taken those that it took
 * @param key id of the sealing key that signed their credential; null for events under a token
 */
export async function markSubscribed(
  db: Db,
  realmId: string,
  {
    numbers,
    taken,
    until,
    key,
    now,
  }: { numbers: readonly string[]; taken: readonly string[]; until: Date; key: string | null; now: Date },
): Promise<void> {
  await sql`update package set next_poll_at = least(next_poll_at, ${now}), pushed_key = ${key},
      pushed_until = case when number = any (${[...taken]}::text[]) then ${until}::timestamptz else '-infinity' end
    where realm_id = ${realmId} and number = any (${[...numbers]}::text[])`.execute(db);
}
