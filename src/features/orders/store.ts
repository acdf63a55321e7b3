import { sql, type Selectable, type Updateable } from "kysely";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import type { OrderTables } from "#features/orders/tables.ts";
import type { Order, OrderState, Trading } from "#features/orders/types.ts";

const tables = (db: Db) => db.withTables<OrderTables>();

export type StoredOrder = Selectable<OrderTables["retail_order"]>;
export type NewDocument = Omit<Selectable<OrderTables["order_document"]>, "results"> & {
  results: readonly object[];
};

export async function addDocument(tx: Db, { results, ...document }: NewDocument): Promise<void> {
  await tables(tx)
    .insertInto("order_document")
    .values({ ...document, results: toJson(results) })
    .execute();
}

export type NewOrder = Pick<
  StoredOrder,
  "id" | "partner" | "po_number" | "store" | "fingerprint" | "slip_file" | "customer_name"
> & { content: Order; trading: Trading | null };

/** Adds orders. @throws when one of them is already stored: their numbers are looked up under the company's lock */
export async function addOrders(
  tx: Db,
  { realmId, documentId, now }: { realmId: string; documentId: string; now: Date },
  orders: readonly NewOrder[],
): Promise<void> {
  if (orders.length === 0) return;
  await sql`insert into retail_order (realm_id, document_id, received_at, id, partner, po_number, store, content, fingerprint,
      slip_file, customer_name, trading)
    select ${realmId}, ${documentId}::uuid, ${now}, o.* from jsonb_to_recordset(${toJson(orders)}::jsonb) as o (id uuid,
      partner text, po_number text, store text, content jsonb, fingerprint text, slip_file text, customer_name text, trading jsonb)`.execute(
    tx,
  );
  await publishChange(tx, { realmId, kind: "orders" });
}

const ofCompany = (db: Db, realmId: string) =>
  tables(db).selectFrom("retail_order").selectAll().where("realm_id", "=", realmId);

/** Locks orders until the transaction ends, in one order for all callers. */
export const lockOrders = (tx: Db, realmId: string, ids: readonly string[]): Promise<StoredOrder[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : ofCompany(tx, realmId)
        .where("id", "in", [...ids])
        .orderBy("id")
        .forUpdate()
        .execute();

export const findOrders = (db: Db, realmId: string, ids: readonly string[]): Promise<StoredOrder[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : ofCompany(db, realmId)
        .where("id", "in", [...ids])
        .execute();

/** Orders of a retailer under a PO number: one, or one for each store that it is for. */
export const findOrdersByNumber = (
  db: Db,
  realmId: string,
  { partner, poNumber }: { partner: string; poNumber: string },
): Promise<StoredOrder[]> =>
  ofCompany(db, realmId).where("partner", "=", partner).where("po_number", "=", poNumber).execute();

export const findOrderBySlip = (
  db: Db,
  realmId: string,
  slipFile: string,
): Promise<StoredOrder | undefined> =>
  ofCompany(db, realmId).where("slip_file", "=", slipFile).executeTakeFirst();

/** Orders in some states, the earliest first. */
export const listOrders = (
  db: Db,
  realmId: string,
  { states, limit }: { states: readonly OrderState[]; limit: number },
): Promise<StoredOrder[]> =>
  ofCompany(db, realmId)
    .where("state", "in", [...states])
    .orderBy("received_at")
    .orderBy("po_number")
    .limit(limit)
    .execute();

/** Canceled orders, the latest first. */
export const listCanceled = (db: Db, realmId: string, limit: number): Promise<StoredOrder[]> =>
  ofCompany(db, realmId)
    .where("state", "=", "cancelled")
    .orderBy("cancelled_at", "desc")
    .orderBy("id")
    .limit(limit)
    .execute();

export async function changeOrder(
  tx: Db,
  { realm_id: realmId, id }: Pick<StoredOrder, "realm_id" | "id">,
  change: Updateable<OrderTables["retail_order"]>,
): Promise<void> {
  await tables(tx)
    .updateTable("retail_order")
    .set(change)
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .execute();
  await publishChange(tx, { realmId, kind: "orders" });
}

/** Bytes of the files of orders of a company, and of the answers to them; their sizes are known without reading them. */
export async function measureDocuments(db: Db, realmId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select
      coalesce(sum(octet_length(content) + coalesce(octet_length(reply), 0)), 0)::bigint as bytes
    from order_document where realm_id = ${realmId}`.execute(db);
  return rows[0]?.bytes ?? 0;
}
