import { sql } from "kysely";
import type { PackageState, Scan } from "#features/packages/contract.ts";
import { BY_NEED, type PackageTables } from "#features/packages/index.ts";
import type { Shown, TrackingView } from "#features/tracking/contract.ts";
import { ASKS, DELAYS, STATES_SHOWN } from "#features/tracking/rules-states.ts";
import type { TrackingTables } from "#features/tracking/tables.ts";
import type { Db } from "#platform/db/connect.ts";
import { likePattern } from "#platform/db/like-pattern.ts";

const tables = (db: Db) => db.withTables<TrackingTables & PackageTables>();

type Counted = {
  state: PackageState;
  count: number;
  /** Packages whose proof UPS has yet to give. */
  withoutProof: number;
  delayed: number;
  unpolled: number;
  polledAt: Date | null;
  nextAt: Date | null;
};

/** Packages of a company's invoices by state, how many of them were never polled, and the last and the next poll. */
export async function countPackages(db: Db, realmId: string): Promise<Counted[]> {
  const { rows } = await sql<Counted>`select p.state, count(*)::int as count, max(polled_at) as "polledAt",
      min(next_poll_at) as "nextAt", (count(*) filter (where ${LACKS_PROOF}))::int as "withoutProof", (count(*) filter (where ${IS_DELAYED}))::int as delayed,
      (count(*) filter (where polled_at is null and next_poll_at is not null))::int as unpolled
    from package p ${PROOF} where p.realm_id = ${realmId} and of_invoice group by p.state`.execute(db);
  return rows;
}

const PROOF = sql`left join tracked_proof proof on proof.realm_id = p.realm_id and proof.number = p.number`;
/** UPS deletes proofs after some time: one that is gone isn't waited for. */
const LACKS_PROOF = sql`(p.state = 'delivered' and coalesce(proof.state, 'waiting') = 'waiting')`;
/** The same as `isDelay`. */
const IS_DELAYED = sql`(p.state = 'exception' and p.activities -> 0 ->> 'state' = 'exception'
  and p.activities -> 0 ->> 'text' ~* ${DELAYS} and p.activities -> 0 ->> 'text' !~* ${ASKS})`;
/** Day of the delivery or the newest scan at its place; null without either. */
const DAY = sql`coalesce(p.delivered ->> 'local_date', p.activities -> 0 ->> 'local_date')`;

/** Counts a company's packages with news since a time by day, the latest first. */
export async function countDays(db: Db, realmId: string, since: Date): Promise<TrackingView["days"]> {
  const isShown = (show: Shown) => sql`p.state = any (${states(STATES_SHOWN[show])})`;
  const { rows } = await sql<TrackingView["days"][number]>`select ${DAY} as day,
      (count(*) filter (where ${isShown("delivered")}))::int as delivered,
      (count(*) filter (where ${isShown("attention")}))::int as attention,
      (count(*) filter (where ${IS_DELAYED}))::int as delayed,
      (count(*) filter (where ${LACKS_PROOF}))::int as without_proof
    from package p ${PROOF}
    where p.realm_id = ${realmId} and of_invoice and newest_at >= ${since} and ${DAY} is not null
    group by 1 order by 1 desc`.execute(db);
  return rows;
}

export type ListedInvoice = {
  qbo_id: string;
  number: string;
  customer: string;
  state: PackageState | null;
  packages: number;
  delivered: number;
  tracking_number: string | null;
  at: Date | null;
  newest: Scan | null;
  /** Place of the state among all, the one that needs a reader first is 1. */
  need: number;
  /** By which invoices of equal need are ordered: the day of the invoice where no package has a time. */
  place: Date;
  scheduled_on: string | null;
  other_carriers: string[];
  currency: string;
  shipping_cents: number;
  is_paid: boolean;
};

/** The last invoice of a page. */
export type ListPlace = { need: number; at: Date; id: string };

type Page = { show: Shown; day: string | null; q: string; after: ListPlace | null; limit: number };

const states = (names: readonly PackageState[]) => sql`${[...names]}::text[]`;

/** Selects invoices with packages, or with numbers of carriers that are not followed. */
const selectListed = (
  realmId: string,
) => sql`select i.qbo_id, i.gone, i.number, i.customer, i.other_carriers, i.currency, i.shipping_cents, i.is_paid,
    (${states(BY_NEED)})[min(array_position(${states(BY_NEED)}, p.state))] as state,
    coalesce(min(array_position(${states(BY_NEED)}, p.state)), ${BY_NEED.length + 1}) as need,
    count(p.number)::int as packages,
    (count(p.number) filter (where p.state = 'delivered'))::int as delivered,
    (array_agg(p.number order by l.seq) filter (where p.number is not null))[1] as tracking_number,
    max(coalesce(p.newest_at, p.polled_at, p.added_at)) as at,
    (array_agg(p.activities -> 0 order by p.newest_at desc) filter (where p.newest_at is not null))[1] as newest,
    coalesce(max(coalesce(p.newest_at, p.polled_at, p.added_at)), i.txn_date::date::timestamptz) as place,
    max(p.scheduled_on) filter (where p.state <> 'delivered') as scheduled_on,
    coalesce(string_agg(p.number, ' '), '') as numbers, array_agg(${DAY}) as days, bool_or(${LACKS_PROOF}) as lacks_proof
  from tracked_invoice i
  left join tracked_invoice_package l on l.realm_id = i.realm_id and l.qbo_id = i.qbo_id
  left join package p on p.realm_id = l.realm_id and p.number = l.number
  ${PROOF}
  where i.realm_id = ${realmId}
  group by i.realm_id, i.qbo_id
  having count(p.number) > 0 or cardinality(i.other_carriers) > 0`;

const selectShown = (show: Shown) =>
  show === "all"
    ? sql`true`
    : show === "without_proof"
      ? sql`lacks_proof`
      : sql`state = any (${states(STATES_SHOWN[show])})`;

/** Lists a page of a company's invoices in the books, ordered by state, most urgent first, then newest scan. */
export async function listInvoices(
  db: Db,
  realmId: string,
  { show, day, q, after, limit }: Page,
): Promise<ListedInvoice[]> {
  const like = likePattern(q);
  const packed = like.replaceAll(/\s/g, "");
  const search = sql<ListedInvoice>`select * from (${selectListed(realmId)}) as listed
    where not gone and ${selectShown(show)} and (${day}::text is null or ${day} = any (days))
      and (${q} = '' or customer ilike ${like} or number ilike ${like} or numbers ilike ${packed})
      and ${after ? sql`(-need, place, qbo_id) < (${-after.need}, ${after.at}, ${after.id})` : sql`true`}
    order by need, place desc, qbo_id desc limit ${limit}`;
  const { rows } = await joinWholeTables(db, (tx) => search.execute(tx));
  return rows;
}

export async function findListed(db: Db, realmId: string, qboId: string): Promise<ListedInvoice | undefined> {
  const { rows } = await sql<ListedInvoice>`select * from (${selectListed(realmId)}) as listed
    where qbo_id = ${qboId}`.execute(db);
  return rows[0];
}

/** Packages of an invoice in the order of its field, without their files. */
export const findPackagesOfInvoice = (db: Db, realmId: string, qboId: string) =>
  tables(db)
    .selectFrom("tracked_invoice_package as link")
    .innerJoin("package", (join) =>
      join.onRef("package.realm_id", "=", "link.realm_id").onRef("package.number", "=", "link.number"),
    )
    .leftJoin("tracked_proof as proof", (join) =>
      join.onRef("proof.realm_id", "=", "link.realm_id").onRef("proof.number", "=", "link.number"),
    )
    .select([
      "package.number",
      "package.state",
      "package.service",
      "package.delivered",
      "package.left_at",
      "package.received_by",
      "package.scheduled_on",
      "package.due_hours",
      "package.pickup_by",
      "package.of_label",
      "package.activities",
      "package.polled_at",
      "proof.state as proof_state",
      "proof.due_at as proof_due_at",
    ])
    .where("link.realm_id", "=", realmId)
    .where("link.qbo_id", "=", qboId)
    .orderBy("link.seq")
    .execute();
export type ViewedPackage = Awaited<ReturnType<typeof findPackagesOfInvoice>>[number];

/** Writes of an invoice, the latest first. */
export const findWritesOfInvoice = (db: Db, realmId: string, qboId: string) =>
  tables(db)
    .selectFrom("tracking_write")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("qbo_id", "=", qboId)
    .orderBy("planned_at", "desc")
    .orderBy("id")
    .execute();
export type ViewedWrite = Awaited<ReturnType<typeof findWritesOfInvoice>>[number];

/** The stored proof of a package; undefined for none. */
export async function findProof(db: Db, realmId: string, number: string): Promise<Buffer | undefined> {
  const row = await tables(db)
    .selectFrom("tracked_proof")
    .select("pdf")
    .where("realm_id", "=", realmId)
    .where("number", "=", number)
    .executeTakeFirst();
  return row?.pdf ?? undefined;
}

/**
 * Runs a search that joins all rows of a company with all rows of the same company. PostgreSQL assumes a few rows where it has
 * no statistics, such as for a new company, and would compare each row with each: of 5,000 invoices for
 * seconds. Without nested loops it takes each table once.
 */
function joinWholeTables<T>(db: Db, search: (tx: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`set local enable_nestloop = off`.execute(tx);
    return search(tx);
  });
}
