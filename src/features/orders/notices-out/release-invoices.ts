import { checkInvoice, type InvoiceParts } from "#features/orders/notices-out/check-invoice.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import {
  changeNotice,
  findInvoiceNotices,
  findOrderShipNotices,
  listHeldInvoices,
  type StoredNotice,
} from "#features/orders/notices-out/store.ts";
import { isXml } from "#features/orders/notices-out/types.ts";
import { findPartner } from "#features/orders/partners/partners.ts";
import { CHANGE_WAITS } from "#features/orders/sentences.ts";
import { findOrders, type StoredOrder } from "#features/orders/store.ts";
import type { Db } from "#platform/db/connect.ts";

/** Parts of an invoice document from what is stored; null for another notice. */
export async function gatherInvoice(
  ctx: Pick<OrdersCtx, "partners" | "findVendorNumber">,
  tx: Db,
  { notice, order }: { notice: StoredNotice; order: StoredOrder },
): Promise<(InvoiceParts & { shipNotices: readonly StoredNotice[] }) | null> {
  const { realm_id: realmId, order_id: orderId, shipment_id: shipmentId, facts, document } = notice;
  const partner = findPartner(ctx.partners, notice.partner);
  if (!("invoice" in facts) || !partner) return null;
  const ofOrder = await findOrderShipNotices(tx, realmId, orderId);
  const shipNotices = ofOrder.filter(
    (shipNotice) => shipmentId === null || shipNotice.shipment_id === shipmentId,
  );
  const others = await findInvoiceNotices(tx, realmId, { orderId });
  const namesakes = await findInvoiceNotices(tx, realmId, { number: facts.invoice.number });
  // Ship notices keep the number that the company had then; it may have been missing.
  const current = await ctx.findVendorNumber(
    { partners: ctx.partners, db: tx },
    { realmId, partner: partner.id },
  );
  return {
    order: order.content,
    partner,
    document,
    invoice: facts.invoice,
    shipNotices,
    shipments: shipNotices.flatMap(({ facts: shipped }) =>
      "cartons" in shipped ? [{ ...shipped, vendorNumber: shipped.vendorNumber || current }] : [],
    ),
    others: others.flatMap((other) =>
      other.state !== "rejected" && "invoice" in other.facts && other.facts.invoice.id !== facts.invoice.id
        ? [other.facts.invoice]
        : [],
    ),
    // The one that left, or was planned first, keeps the number.
    numberOf:
      namesakes.find(
        (other) =>
          other.partner === partner.id &&
          other.state !== "rejected" &&
          "invoice" in other.facts &&
          other.facts.invoice.id !== facts.invoice.id &&
          (!other.is_held || other.created_at < notice.created_at),
      )?.po_number ?? null,
  };
}

/**
 * Lets invoice documents leave whose ship notices are where their retailer wants them, and that agree with these and their order.
 * One that doesn't agree waits with the reasons. Called after each change of a notice.
 */
export async function releaseInvoices(
  ctx: OrdersCtx,
  tx: Db,
  which: { realmId: string; orderId?: string },
): Promise<void> {
  const held = await listHeldInvoices(tx, which);
  if (held.length === 0) return;
  const orders = await findOrders(tx, which.realmId, [...new Set(held.map((notice) => notice.order_id))]);
  for (const notice of held) {
    const order = orders.find(({ id }) => id === notice.order_id);
    const parts = order && (await gatherInvoice(ctx, tx, { notice, order }));
    if (!parts) continue;
    const id = { realmId: which.realmId, id: notice.id };
    const problems = [...listProblems(parts, order), ...nameRejected(parts.shipNotices)];
    const isReady =
      problems.length === 0 && parts.shipNotices.every((shipNotice) => isFar(shipNotice, parts));
    if (isReady) await changeNotice(tx, id, { is_held: false, due_at: ctx.clock.now(), problems });
    else if (problems.join("\n") !== notice.problems.join("\n")) await changeNotice(tx, id, { problems });
  }
}

/** Why an invoice document must not leave; none if it agrees with an order that no change waits for. */
export const listProblems = (parts: InvoiceParts, { waiting }: Pick<StoredOrder, "waiting">): string[] => [
  ...checkInvoice(parts),
  ...(waiting ? [CHANGE_WAITS] : []),
];

const nameRejected = (shipNotices: readonly StoredNotice[]): string[] =>
  shipNotices.some(({ state }) => state === "rejected")
    ? [
        "The retailer rejected the ship notice, so it would not pay this invoice. Enter both in the retailer's portal.",
      ]
    : [];

/** Whether a ship notice is as far as the retailer wants it before its invoice. */
const isFar = ({ state, document }: StoredNotice, { partner }: InvoiceParts): boolean =>
  state === "accepted" ||
  (state === "sent" && (isXml(document) || partner.invoices.after === "ship_notice_sent"));
