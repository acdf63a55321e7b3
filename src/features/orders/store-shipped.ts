import type { Selectable } from "kysely";
import {
  listLineStates,
  type LineState,
  type Pieces,
  type ShippedCarton,
} from "#features/orders/rules-shipped.ts";
import type { StoredOrder } from "#features/orders/store.ts";
import type { OrderTables } from "#features/orders/tables.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";

export * from "#features/orders/rules-shipped.ts";

const tables = (db: Db) => db.withTables<OrderTables>();

type StoredParts = Selectable<OrderTables["order_shipment"]>;

/** A part of an order that left at once, under labels that were bought together. */
export type OrderShipment = {
  shipmentId: string;
  orderId: string;
  /** 1 for the order's first. Numbers of voided ones aren't used again. */
  number: number;
  shippedAt: Date;
  /** UPS's code of the service. */
  service: string;
  cartons: readonly ShippedCarton[];
  lines: readonly Pieces[];
  isVoided: boolean;
};

const toShipment = ({ shipment_id, order_id, shipped_at, ...row }: StoredParts): OrderShipment => ({
  shipmentId: shipment_id,
  orderId: order_id,
  number: row.number,
  shippedAt: shipped_at,
  service: row.service,
  cartons: row.cartons,
  lines: row.lines,
  isVoided: row.cartons.every(({ isVoided }) => isVoided),
});

/** Shipments of the given orders, each order's in their order, voided ones too. */
export async function listOrderShipments(
  db: Db,
  realmId: string,
  orderIds: readonly string[],
): Promise<OrderShipment[]> {
  if (orderIds.length === 0) return [];
  const rows = await tables(db)
    .selectFrom("order_shipment")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("order_id", "in", [...orderIds])
    .orderBy("order_id")
    .orderBy("number")
    .execute();
  return rows.map(toShipment);
}

type NewShipment = Pick<OrderShipment, "shipmentId" | "shippedAt" | "service" | "cartons" | "lines">;

/** Adds what left of a locked order. */
export async function addOrderShipment(
  tx: Db,
  { realm_id: realmId, id: orderId }: StoredOrder,
  { shipmentId, shippedAt, service, cartons, lines }: NewShipment,
): Promise<void> {
  const earlier = await listOrderShipments(tx, realmId, [orderId]);
  await tables(tx)
    .insertInto("order_shipment")
    .values({
      realm_id: realmId,
      shipment_id: shipmentId,
      order_id: orderId,
      number: (earlier.at(-1)?.number ?? 0) + 1,
      shipped_at: shippedAt,
      service,
      cartons: toJson(cartons),
      lines: toJson(lines),
    })
    .execute();
}

/** Says what is in each carton of a shipment, in their order. */
export async function fillCartons(
  tx: Db,
  realmId: string,
  { shipmentId, contents }: { shipmentId: string; contents: readonly (readonly Pieces[])[] },
): Promise<void> {
  await changeCartons(tx, realmId, shipmentId, (carton, at) => ({
    ...carton,
    contents: contents[at] ?? carton.contents,
  }));
}

/** Marks cartons as voided. @param numbers their tracking numbers */
export async function voidCartons(
  tx: Db,
  realmId: string,
  { shipmentId, numbers }: { shipmentId: string; numbers: ReadonlySet<string> },
): Promise<void> {
  await changeCartons(tx, realmId, shipmentId, (carton) => ({
    ...carton,
    isVoided: carton.isVoided || numbers.has(carton.trackingNumber),
  }));
}

async function changeCartons(
  tx: Db,
  realmId: string,
  shipmentId: string,
  change: (carton: ShippedCarton, at: number) => ShippedCarton,
): Promise<void> {
  const row = await tables(tx)
    .selectFrom("order_shipment")
    .select("cartons")
    .where("realm_id", "=", realmId)
    .where("shipment_id", "=", shipmentId)
    .executeTakeFirst();
  if (!row) return;
  await tables(tx)
    .updateTable("order_shipment")
    .set({ cartons: toJson(row.cartons.map(change)) })
    .where("realm_id", "=", realmId)
    .where("shipment_id", "=", shipmentId)
    .execute();
}

/** States of the lines of the given orders, by the order's id. */
export async function findLineStates(
  db: Db,
  realmId: string,
  orders: readonly StoredOrder[],
): Promise<ReadonlyMap<string, LineState[]>> {
  const shipments = await listOrderShipments(
    db,
    realmId,
    orders.map(({ id }) => id),
  );
  const byOrder = Map.groupBy(shipments, ({ orderId }) => orderId);
  return new Map(
    orders.map(({ id, content, line_cancels: cancels }) => [
      id,
      listLineStates(content.lines, byOrder.get(id) ?? [], cancels),
    ]),
  );
}

/** States of an order's lines. */
export async function readLineStates(db: Db, order: StoredOrder): Promise<LineState[]> {
  return (await findLineStates(db, order.realm_id, [order])).get(order.id) ?? [];
}
