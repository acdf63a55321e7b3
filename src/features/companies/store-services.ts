import type { Db } from "#platform/db/connect.ts";
import type { Service } from "#features/companies/contract.ts";
import type { CompaniesTables } from "#features/companies/tables.ts";

const tables = (db: Db) => db.withTables<CompaniesTables>();

type ServiceRow = CompaniesTables["company_service"];

/** A service of a company as it was last changed; nobody else changes it meanwhile. */
export const lockService = (tx: Db, realmId: string, service: Service): Promise<ServiceRow | undefined> =>
  tables(tx)
    .selectFrom("company_service")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("service", "=", service)
    .forUpdate()
    .executeTakeFirst();

export async function saveService(tx: Db, row: ServiceRow): Promise<void> {
  await tables(tx)
    .insertInto("company_service")
    .values(row)
    .onConflict((conflict) => conflict.columns(["realm_id", "service"]).doUpdateSet(row))
    .execute();
}
