import type { ShippingCtx } from "#features/shipping/ctx.ts";
import { writeOrderSlip } from "#features/shipping/files.ts";
import { serviceName } from "#integrations/ups/service-names.ts";
import { findLabelsByNumber, findShipments } from "#features/shipping/store.ts";
import {
  findOrders,
  findShipNotices,
  findRetailerName,
  type StoredNotice,
  type StoredOrder,
} from "#features/orders/index.ts";
import { writeLabelPages } from "#formats/carrier-label/write-label-pages.ts";

/** An order, and its papers for some of its labels. */
export type LabelPapers = {
  order: StoredOrder;
  /** Name of the retailer. */
  retailer: string;
  /** "UPS Ground" */
  service: string;
  /** PDF; undefined if the retailer is no longer known. */
  slip: Buffer | undefined;
  /** PDF; null if the labels are ZPL, which has no picture. */
  labels: Buffer | null;
  notice: StoredNotice | undefined;
};

/** Reads what is kept about labels made here, by their tracking numbers: an entry for each purchase. */
export async function readLabelPapers(
  ctx: ShippingCtx,
  realmId: string,
  numbers: readonly string[],
): Promise<LabelPapers[]> {
  const labels = await findLabelsByNumber(ctx.db, realmId, numbers);
  const shipments = await findShipments(ctx.db, realmId, [
    ...new Set(labels.map((each) => each.shipment_id)),
  ]);
  const orders = await findOrders(
    ctx.db,
    realmId,
    shipments.map((each) => each.order_id),
  );
  const notices = await findShipNotices(
    ctx.db,
    realmId,
    shipments.map(({ id }) => id),
  );
  const papers: LabelPapers[] = [];
  for (const shipment of shipments) {
    const { id, order_id: orderId } = shipment;
    const order = orders.find((each) => each.id === orderId);
    if (!order) continue;
    const own = labels.filter((each) => each.shipment_id === id);
    const pictures = own.filter(({ format }) => format !== "ZPL").map(({ bytes }) => bytes);
    papers.push({
      order,
      retailer: findRetailerName(ctx, order.partner),
      service: serviceName(shipment.body.service),
      slip: await writeOrderSlip(ctx, order, shipment),
      labels: pictures.length > 0 ? Buffer.concat([...writeLabelPages(pictures, "UPS labels")]) : null,
      notice: notices.find((each) => each.shipment_id === id),
    });
  }
  return papers;
}
