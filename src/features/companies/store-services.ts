import { sql } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { Service } from "#features/companies/contract.ts";
import type { CompaniesTables } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables>();

type ServiceRow = CompaniesTables["company_service"];

/** A service that was granted to a company, as it was last changed; nobody else changes it meanwhile. */
export const lockGrant = (tx: Db, realmId: string, service: Service): Promise<ServiceRow | undefined> =>
  tables(tx)
    .selectFrom("company_service")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("service", "=", service)
    .where("source", "=", "granted")
    .forUpdate()
    .executeTakeFirst();

/** Services a company has without paying for them. */
export const listGrants = (db: Db, realmId: string, now: Date) =>
  tables(db)
    .selectFrom("company_service")
    .select(["service", "until"])
    .where("realm_id", "=", realmId)
    .where("source", "=", "granted")
    .where("state", "=", "active")
    .where((row) => row.or([row("until", "is", null), row("until", ">", now)]))
    .execute();

/** Whether a company may use a service now, granted or paid for. */
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
  /** On though its renewal was not paid. */
  isUnpaid: boolean;
  now: Date;
};

/**
 * Brings a service up to what its subscriptions come to. What was granted is apart.
 * @returns whether it was on by a subscription before, as far as was recorded
 */
export async function changePaidService(
  tx: Db,
  { realmId, service, state, until, reason, isUnpaid, now }: PaidService,
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
  return before?.state === "active";
}

/** Looking at what is paid ends here each time: only what differs is announced. */
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
