import { sql } from "kysely";
import type { PackageState } from "#features/packages/contract.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";

/** A package that needs attention, with its invoice; `text` is what UPS says of it. */
type PackageProblem = {
  number: string;
  text: string;
  invoice: string;
  customer: string;
};

const MAX_LISTED = 20;

/** Times after which packages needed attention, by their state. */
export type Since = Partial<Record<PackageState, Date>>;

const selectProblems = (realmId: string, since: Since) =>
  sql`package p join jsonb_each_text(${toJson(since)}::jsonb) as wanted (state, since)
    on p.realm_id = ${realmId} and p.of_invoice and p.state = wanted.state and p.state_at > wanted.since::timestamptz`;

/** Packages that need attention, the newest first: as many as a mail lists. */
export async function listPackageProblems(db: Db, realmId: string, since: Since): Promise<PackageProblem[]> {
  const { rows } =
    await sql<PackageProblem>`select p.number, coalesce(p.activities -> 0 ->> 'text', '') as text,
      coalesce(i.number, '') as invoice, coalesce(i.customer, '') as customer
    from ${selectProblems(realmId, since)}
    left join lateral (select i.number, i.customer from tracked_invoice_package l
      join tracked_invoice i on i.realm_id = l.realm_id and i.qbo_id = l.qbo_id
      where l.realm_id = p.realm_id and l.number = p.number order by i.qbo_id limit 1) i on true
    order by p.state_at desc, p.number limit ${MAX_LISTED}`.execute(db);
  return rows;
}

/** Counts packages that need attention, by state, with the time of the newest. */
export async function countPackageProblems(db: Db, realmId: string, since: Since) {
  const { rows } = await sql<{ state: PackageState; count: number; newest: Date }>`select p.state,
      count(*)::int as count, max(p.state_at) as newest
    from ${selectProblems(realmId, since)} group by p.state`.execute(db);
  return rows;
}

/** Packages delivered, and proofs attached, since a time. */
export async function countAlerts(db: Db, realmId: string, since: Date) {
  const { rows } = await sql<{ delivered: number; attached: number }>`select
      (select count(*)::int from package where realm_id = ${realmId} and of_invoice and state = 'delivered'
        and state_at > ${since}) as delivered,
      (select count(*)::int from tracking_write where realm_id = ${realmId} and operation = 'attach'
        and state = 'done' and settled_at > ${since}) as attached`.execute(db);
  return rows[0] ?? { delivered: 0, attached: 0 };
}
