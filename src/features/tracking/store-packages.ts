import { sql, type Selectable, type Updateable } from "kysely";
import type { TrackingTables } from "#features/tracking/tables.ts";
import type { Db } from "#platform/db/connect.ts";

const tables = (db: Db) => db.withTables<TrackingTables>();

type Row = Selectable<TrackingTables["tracked_package"]>;
/** A package without its files, which are large. */
export type StoredPackage = Omit<Row, "proof_pdf" | "proof_page" | "proof_signature">;

const COLUMNS = [
  "p.realm_id",
  "p.number",
  "p.state",
  "p.state_at",
  "p.added_at",
  "p.activities",
  "p.newest_at",
  "p.service",
  "p.left_at",
  "p.received_by",
  "p.scheduled_on",
  "p.delivered",
  "p.looks",
  "p.looked_at",
  "p.look_at",
  "p.pushed_until",
  "p.proof_state",
  "p.proof_tries",
  "p.proof_asked_at",
] as const;

/** Packages of a company that are due, the longest due first. */
export const listDuePackages = (
  db: Db,
  realmId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<StoredPackage[]> =>
  tables(db)
    .selectFrom("tracked_package as p")
    .select(COLUMNS)
    .where("p.realm_id", "=", realmId)
    .where("p.look_at", "<=", now)
    .orderBy("p.look_at")
    .limit(limit)
    .execute();

export const findPackage = (db: Db, realmId: string, number: string): Promise<StoredPackage | undefined> =>
  tables(db)
    .selectFrom("tracked_package as p")
    .select(COLUMNS)
    .where("p.realm_id", "=", realmId)
    .where("p.number", "=", number)
    .executeTakeFirst();

/** Companies that still ask about a number. */
export async function findFollowers(db: Db, number: string): Promise<string[]> {
  const rows = await tables(db)
    .selectFrom("tracked_package")
    .select("realm_id")
    .where("number", "=", number)
    .where("look_at", "is not", null)
    .execute();
  return rows.map((row) => row.realm_id);
}

/** Changes a package, and marks its invoices for another comparison. */
export async function changePackage(
  tx: Db,
  { realmId, number }: { realmId: string; number: string },
  change: Updateable<TrackingTables["tracked_package"]>,
): Promise<void> {
  await tables(tx)
    .updateTable("tracked_package")
    .set(change)
    .where("realm_id", "=", realmId)
    .where("number", "=", number)
    .execute();
}

export async function markInvoicesDirty(tx: Db, realmId: string, number: string): Promise<void> {
  await sql`update tracked_invoice i set dirty = true from tracked_invoice_package l
    where l.realm_id = ${realmId} and l.number = ${number} and i.realm_id = l.realm_id and i.qbo_id = l.qbo_id
      and not i.dirty`.execute(tx);
}

/** Packages of some invoices, in the order of their fields. */
export const findLinked = (db: Db, realmId: string, qboIds: readonly string[]) =>
  qboIds.length === 0
    ? Promise.resolve([])
    : tables(db)
        .selectFrom("tracked_invoice_package as l")
        .innerJoin("tracked_package as p", (join) =>
          join.onRef("p.realm_id", "=", "l.realm_id").onRef("p.number", "=", "l.number"),
        )
        .select(["l.qbo_id", "l.in_books"])
        .select(COLUMNS)
        .select(sql<boolean>`p.proof_pdf is not null`.as("has_proof"))
        .where("l.realm_id", "=", realmId)
        .where("l.qbo_id", "in", [...qboIds])
        .orderBy("l.qbo_id")
        .orderBy("l.seq")
        .execute();
export type LinkedPackage = Awaited<ReturnType<typeof findLinked>>[number];

/** Invoices in the books that packages are of. */
export async function findInvoicesWith(
  db: Db,
  realmId: string,
  numbers: readonly string[],
): Promise<{ number: string; qbo_id: string }[]> {
  if (numbers.length === 0) return [];
  const { rows } = await sql<{ number: string; qbo_id: string }>`select l.number, l.qbo_id
    from tracked_invoice_package l join tracked_invoice i on i.realm_id = l.realm_id and i.qbo_id = l.qbo_id and not i.gone
    where l.realm_id = ${realmId} and l.number = any (${[...numbers]}::text[])`.execute(db);
  return rows;
}

/** Numbers of the invoices that a package belongs to. */
export async function listInvoiceNumbers(db: Db, realmId: string, number: string): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`select i.number
    from tracked_invoice_package l join tracked_invoice i on i.realm_id = l.realm_id and i.qbo_id = l.qbo_id
    where l.realm_id = ${realmId} and l.number = ${number} and not i.gone order by i.number, i.qbo_id`.execute(
    db,
  );
  return rows.map((row) => row.number);
}

/** Makes every package that is still asked about due. */
export async function hastenLooks(tx: Db, realmId: string, now: Date): Promise<void> {
  await tables(tx)
    .updateTable("tracked_package")
    .set({ look_at: now })
    .where("realm_id", "=", realmId)
    .where("look_at", ">", now)
    .execute();
}

/** Packages on their way of which UPS sends no events, or not for long. One that UPS refused once is not tried again. */
export async function listUnsubscribed(
  db: Db,
  realmId: string,
  { endsBefore, limit }: { endsBefore: Date; limit: number },
): Promise<string[]> {
  const until = sql`coalesce(pushed_until, '1970-01-01 00:00:00+00'::timestamptz)`;
  const { rows } = await sql<{ number: string }>`select number from tracked_package
    where realm_id = ${realmId} and look_at is not null and state not in ('delivered', 'voided')
      and ${until} > '-infinity' and ${until} < ${endsBefore}
    order by ${until} limit ${limit}`.execute(db);
  return rows.map((row) => row.number);
}

/** Notes until when UPS sends the events of packages, and lets them be looked at. @param taken those that it took */
export async function markSubscribed(
  tx: Db,
  realmId: string,
  {
    numbers,
    taken,
    until,
    now,
  }: { numbers: readonly string[]; taken: readonly string[]; until: Date; now: Date },
): Promise<void> {
  await sql`update tracked_package set look_at = least(look_at, ${now}),
      pushed_until = case when number = any (${[...taken]}::text[]) then ${until}::timestamptz else '-infinity' end
    where realm_id = ${realmId} and number = any (${[...numbers]}::text[])`.execute(tx);
}

/** Bytes of a company's proofs of delivery; their sizes are known without reading them. */
export async function measureProofs(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(coalesce(octet_length(proof_pdf), 0)
      + coalesce(octet_length(proof_page), 0) + coalesce(octet_length(proof_signature), 0)), 0)::bigint as bytes
    from tracked_package where realm_id = ${realmId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}
