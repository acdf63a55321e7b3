import {
  findOrderShipNotices,
  listOrderShipments,
  listShipped,
  type Pieces,
  type StoredOrder,
} from "#features/orders/index.ts";
import type { Db } from "#platform/db/connect.ts";

/** A part of an order that left at once, without the cartons that were voided. */
export type Part = {
  shipmentId: string;
  shippedAt: Date;
  /** UPS's code. */
  service: string;
  trackingNumbers: readonly string[];
  lines: readonly Pieces[];
  /** How far the retailer's ship notice is; null if it takes none. */
  notice: string | null;
  /** When it leaves as the ship notice says, which is also the date of the 810; when it was labeled, without one. */
  leftAt: Date;
};

/** Parts of the given orders that left, each order's in their order, by the order's id. */
export async function listParts(
  db: Db,
  realmId: string,
  orders: readonly StoredOrder[],
): Promise<ReadonlyMap<string, readonly Part[]>> {
  const shipments = await listOrderShipments(
    db,
    realmId,
    orders.map(({ id }) => id),
  );
  const parts = new Map<string, Part[]>();
  for (const order of orders) {
    const notices = await findOrderShipNotices(db, realmId, order.id);
    const own = shipments.filter(({ orderId, isVoided }) => orderId === order.id && !isVoided);
    parts.set(
      order.id,
      own.map((shipment) => {
        const notice = notices.find(({ shipment_id: id }) => id === shipment.shipmentId);
        return {
          shipmentId: shipment.shipmentId,
          shippedAt: shipment.shippedAt,
          service: shipment.service,
          trackingNumbers: shipment.cartons.flatMap(({ trackingNumber, isVoided }) =>
            isVoided ? [] : [trackingNumber],
          ),
          lines: listShipped(shipment),
          notice: notice?.state ?? null,
          leftAt: notice?.due_at ?? shipment.shippedAt,
        };
      }),
    );
  }
  return parts;
}
