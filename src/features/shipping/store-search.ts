import { sql } from "kysely";
import type { Carton } from "#features/shipping/contract.ts";
import { selectShipments, type StoredShipment } from "#features/shipping/store.ts";
import type { Db } from "#platform/db/connect.ts";

/**
 * Finds which of the given tracking numbers belong to purchases of this installation, of any company: companies may
 * share a UPS account.
 * @param except a purchase that doesn't count
 */
export async function findHeldNumbers(
  db: Db,
  numbers: readonly string[],
  except: string | null = null,
): Promise<ReadonlySet<string>> {
  if (numbers.length === 0) return new Set();
  const { rows } = await sql<{ number: string }>`select tracking_number as number from shipment_label
      where tracking_number = any (${[...numbers]}::text[]) and shipment_id is distinct from ${except}::uuid
    union select n from shipment, unnest(named) as n
      where named && ${[...numbers]}::text[] and id is distinct from ${except}::uuid`.execute(db);
  const held = new Set(rows.map((row) => row.number));
  return new Set(numbers.filter((number) => held.has(number)));
}

/**
 * The other purchases of an order: references of those that UPS made, or may have. For those that a user gave up: their
 * references, and shipments that the user said are something else, or that their label can't be used.
 * `hasDeniedEqual`: one of them differs in nothing from the order.
 */
export async function findOtherPurchases(db: Db, { realm_id, order_id, id }: StoredShipment) {
  const rows = await selectShipments(db, realm_id)
    .where("order_id", "=", order_id)
    .where("id", "<>", id)
    .execute();
  const givenUp = rows.filter(({ state, cause }) => state === "failed" && cause?.code === "abandoned");
  const live = rows.filter(({ state }) => state !== "failed");
  return {
    // One that failed has left its reference to the next.
    bought: new Set([...live, ...givenUp].map(({ reference }) => reference)),
    givenUp: givenUp.map(({ reference }) => reference),
    denied: new Set(
      givenUp.flatMap(({ theirs, cause }) => [
        ...(theirs?.numbers ?? []),
        String(cause?.params["shipment"] ?? ""),
      ]),
    ),
    hasDeniedEqual: givenUp.some(({ theirs }) => theirs?.differs.length === 0),
  };
}

/** Finds which of the given references purchases here have. */
export async function findKnownReferences(
  db: Db,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ reference: string }>`select reference from shipment
    where reference = any (${[...references]}::text[])`.execute(db);
  return new Set(rows.map(({ reference }) => reference));
}

/** How many purchases of an order UPS has made, or may have. */
export async function countTurns(tx: Db, realmId: string, orderId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from shipment
    where realm_id = ${realmId} and order_id = ${orderId}::uuid
      and (state <> 'failed' or cause ->> 'code' = 'abandoned')`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Cartons of the latest labels made for each of some lists of items. */
export async function findLastCartons(
  db: Db,
  realmId: string,
  items: readonly string[],
): Promise<ReadonlyMap<string, readonly Carton[]>> {
  if (items.length === 0) return new Map();
  const rows = await selectShipments(db, realmId)
    .clearSelect()
    .distinctOn("items")
    .select(["items", "cartons"])
    .where("state", "=", "made")
    .where("items", "in", [...new Set(items)])
    .orderBy("items")
    .orderBy("made_at", "desc")
    .execute();
  return new Map(rows.map((row) => [row.items, row.cartons]));
}

/** A purchase whose labels are good, by UPS's number. */
export const findMadeByNumber = (
  db: Db,
  realmId: string,
  number: string,
): Promise<StoredShipment | undefined> =>
  selectShipments(db, realmId).where("number", "=", number).where("state", "=", "made").executeTakeFirst();

/**
 * Purchases since a time whose labels are good, in an order that doesn't change. Those that were just made are left out: a second
 * shipment of theirs is still to be searched for.
 */
export const listLivePurchases = (db: Db, realmId: string, since: Date): Promise<StoredShipment[]> =>
  selectShipments(db, realmId)
    .where("state", "=", "made")
    .where("requested_at", ">", since)
    .where("searched_at", "is not", null)
    .orderBy("id")
    .execute();
