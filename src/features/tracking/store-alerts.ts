import { sql } from "kysely";
import type { PackageState } from "#features/packages/contract.ts";
import { STATES_SHOWN } from "#features/tracking/rules-states.ts";
import type { Db } from "#platform/db/connect.ts";

/** A package that needs attention, with its invoice; `text` is what UPS says of it. */
export type PackageProblem = {
  number: string;
  state: PackageState;
  text: string;
  invoice: string;
  customer: string;
};

const MAX_LISTED = 20;

/** Packages that need attention since a time, the newest first. */
export async function findPackageProblems(db: Db, realmId: string, since: Date): Promise<PackageProblem[]> {
  const { rows } =
    await sql<PackageProblem>`select p.number, p.state, coalesce(p.activities -> 0 ->> 'text', '') as text,
      coalesce(i.number, '') as invoice, coalesce(i.customer, '') as customer
    from package p
    left join lateral (select i.number, i.customer from tracked_invoice_package l
      join tracked_invoice i on i.realm_id = l.realm_id and i.qbo_id = l.qbo_id
      where l.realm_id = p.realm_id and l.number = p.number order by i.qbo_id limit 1) i on true
    where p.realm_id = ${realmId} and p.of_invoice and p.state = any (${[...STATES_SHOWN.attention]}::text[]) and p.state_at > ${since}
    order by p.state_at desc, p.number limit ${MAX_LISTED}`.execute(db);
  return rows;
}

/** Packages delivered, and proofs attached, since a time. */
export async function countAlerts(
  db: Db,
  realmId: string,
  since: Date,
): Promise<{ delivered: number; attached: number }> {
  const { rows } = await sql<{ delivered: number; attached: number }>`select
      (select count(*)::int from package where realm_id = ${realmId} and of_invoice and state = 'delivered'
        and state_at > ${since}) as delivered,
      (select count(*)::int from tracking_write where realm_id = ${realmId} and operation = 'attach'
        and state = 'done' and settled_at > ${since}) as attached`.execute(db);
  return rows[0] ?? { delivered: 0, attached: 0 };
}
