import type { Service } from "#features/companies/contract.ts";
import type { Db } from "#platform/db/connect.ts";
import type { BillingTables, StoredSubscription, Price } from "#features/billing/tables.ts";

const tables = (db: Db) => db.withTables<BillingTables>();

/** Lists a company's subscriptions as Stripe last showed them, newest first. */
export const listStored = (db: Db, realmId: string): Promise<StoredSubscription[]> =>
  tables(db)
    .selectFrom("subscription")
    .selectAll()
    .where("realm_id", "=", realmId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();

export const listStoredFor = async (
  db: Db,
  realmId: string,
  service: Service,
): Promise<StoredSubscription[]> =>
  (await listStored(db, realmId)).filter((each) => each.service === service);

export const findSubscription = (
  db: Db,
  realmId: string,
  id: string,
): Promise<StoredSubscription | undefined> =>
  tables(db)
    .selectFrom("subscription")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .executeTakeFirst();

/** Finds how often a subscription was recorded; 0 for never. */
export async function findVersion(db: Db, id: string): Promise<number> {
  const row = await tables(db)
    .selectFrom("subscription")
    .select("version")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.version ?? 0;
}

export async function saveSubscription(tx: Db, row: StoredSubscription): Promise<void> {
  await tables(tx)
    .insertInto("subscription")
    .values(row)
    .onConflict((conflict) => conflict.columns(["realm_id", "id"]).doUpdateSet(row))
    .execute();
}

/** Lists all prices, including those no longer offered. */
export const listPrices = (db: Db): Promise<Price[]> =>
  tables(db).selectFrom("service_price").selectAll().orderBy("product_name").orderBy("cents").execute();

export const findPrice = (db: Db, id: string): Promise<Price | undefined> =>
  tables(db).selectFrom("service_price").selectAll().where("id", "=", id).executeTakeFirst();

/** Replaces the catalog; keeps prices that are no longer in it for the companies that pay them. */
export async function savePrices(db: Db, prices: readonly Price[], now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tables(tx).updateTable("service_price").set({ is_active: false, fetched_at: now }).execute();
    for (const price of prices)
      await tables(tx)
        .insertInto("service_price")
        .values(price)
        .onConflict((conflict) => conflict.column("id").doUpdateSet(price))
        .execute();
  });
}
