import { findOrderShipNotices, type StoredOrder } from "#features/orders/index.ts";
import type { Db } from "#platform/db/connect.ts";

/** What left of an order at once, without what was voided. */
export type Part = {
  shipmentId: string;
  shippedAt: Date;
  /** UPS's code. */
  service: string;
  trackingNumbers: readonly string[];
  lines: readonly { line: string; quantity: string }[];
  /** How far the retailer's ship notice is; null if it takes none. */
  notice: string | null;
};

/** What left of some orders, the first first, by the order's id. */
export async function listParts(
  db: Db,
  orders: readonly StoredOrder[],
): Promise<ReadonlyMap<string, readonly Part[]>> {
  const parts = new Map<string, readonly Part[]>();
  for (const order of orders) {
    const notices = await findOrderShipNotices(db, order.realm_id, order.id);
    parts.set(
      order.id,
      notices.flatMap(({ shipment_id: shipmentId, facts, created_at: shippedAt, state: notice }) =>
        "cartons" in facts && shipmentId
          ? [
              {
                shipmentId,
                shippedAt,
                service: facts.service,
                trackingNumbers: facts.cartons.map(({ trackingNumber }) => trackingNumber),
                lines: order.content.lines.map(({ line, quantity }) => ({ line, quantity })),
                notice,
              },
            ]
          : [],
      ),
    );
  }
  return parts;
}
