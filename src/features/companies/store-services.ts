import { sql } from "kysely";
import { changeCompany } from "#features/companies/store.ts";
import type { Db } from "#platform/db/connect.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { Service } from "#features/companies/contract.ts";
import type { CompaniesTables } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables>();

type ServiceRow = CompaniesTables["company_service"];

/** Reads and locks the granted service of a company. */
export const lockGrant = (tx: Db, realmId: string, service: Service): Promise<ServiceRow | undefined> =>
  tables(tx)
    .selectFrom("company_service")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("service", "=", service)
    .where("source", "=", "granted")
    .forUpdate()
    .executeTakeFirst();

/** Lists services that a company has without paying for them. */
export const listGrants = (db: Db, realmId: string, now: Date) =>
  tables(db)
    .selectFrom("company_service")
    .select(["service", "until"])
    .where("realm_id", "=", realmId)
    .where("source", "=", "granted")
    .where("state", "=", "active")
    .where((row) => row.or([row("until", "is", null), row("until", ">", now)]))
    .execute();

/** Whether a company has an active service, granted or paid. */
export async function hasService(
  db: Db,
  { realmId, service, now }: { realmId: string; service: Service; now: Date },
): Promise<boolean> {
  const { rows } = await sql`/* prepared has-service */ select from company_service
    where realm_id = ${realmId} and service = ${service} and state = 'active' and (until is null or until > ${now})
    limit 1`.execute(db);
  return rows.length > 0;
}

type PaidService = {
  realmId: string;
  service: Service;
  state: "active" | "ended";
  until: Date | null;
  reason: string;
  /** Still on, although its renewal was not paid. */
  isUnpaid: boolean;
  /** Paid for, or tried, for the first time. */
  isFirst: boolean;
  now: Date;
};

/**
 * Updates a service to the state of its subscriptions. Grants are separate.
 * @returns whether a subscription had it active before, as far as recorded
 */
export async function changePaidService(
  tx: Db,
  { realmId, service, state, until, reason, isUnpaid, isFirst, now }: PaidService,
): Promise<boolean> {
  const before = await tables(tx)
    .selectFrom("company_service")
    .select("state")
    .where("realm_id", "=", realmId)
    .where("service", "=", service)
    .where("source", "=", "subscription")
    .executeTakeFirst();
  await saveService(tx, {
    realm_id: realmId,
    service,
    state,
    until,
    source: "subscription",
    reason,
    changed_at: now,
    is_unpaid: isUnpaid,
  });
  // From the first time on, proofs are attached; the page says so, and asks. With a granted service its admin has chosen before.
  if (service === "tracking" && isFirst && !(await lockGrant(tx, realmId, service)))
    await changeCompany(tx, realmId, { attach_pods: true });
  return before?.state === "active";
}

/** Stores a service. Every payment check ends here, so only differences are published. */
export async function saveService(tx: Db, row: ServiceRow): Promise<void> {
  const was = await tables(tx)
    .selectFrom("company_service")
    .select(["state", "until"])
    .where("realm_id", "=", row.realm_id)
    .where("service", "=", row.service)
    .where("source", "=", row.source)
    .executeTakeFirst();
  await tables(tx)
    .insertInto("company_service")
    .values(row)
    .onConflict((conflict) => conflict.columns(["realm_id", "service", "source"]).doUpdateSet(row))
    .execute();
  if (was?.state !== row.state || was.until?.getTime() !== row.until?.getTime())
    await publishChange(tx, { realmId: row.realm_id, kind: "companies" });
}
