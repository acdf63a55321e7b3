import { addDecimals } from "#formats/x12/decimals.ts";
import { checkInvoice, type InvoiceParts } from "#features/orders/notices-out/check-invoice.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import {
  changeNotice,
  findInvoiceNotices,
  findOrderShipNotices,
  findUnsentInvoices,
  lockUnsentInvoices,
  type StoredNotice,
} from "#features/orders/notices-out/store.ts";
import { isXml, type BookedInvoice } from "#features/orders/notices-out/types.ts";
import { findPartner } from "#features/orders/partners/partners.ts";
import { findOpenCancel } from "#features/orders/rules.ts";
import { describeShipped } from "#features/orders/rules-shipped.ts";
import { CHANGE_WAITS, labelsVoided, ORDER_CANCELED, orderIncomplete } from "#features/orders/sentences.ts";
import { listOrderShipments } from "#features/orders/store-shipped.ts";
import { lockOrders, type StoredOrder } from "#features/orders/store.ts";
import type { Db } from "#platform/db/connect.ts";

/**
 * With the ship notices of labels that it bills; it is voided if all of these labels are, and incomplete if it bills all of an order
 * that has pieces left to ship.
 */
type Gathered = InvoiceParts & {
  shipNotices: readonly StoredNotice[];
  isVoided: boolean;
  isIncomplete: boolean;
};

/** Parts of an invoice document from what is stored; null for another notice. */
export async function gatherInvoice(
  ctx: Pick<OrdersCtx, "partners" | "findVendorNumber">,
  tx: Db,
  { notice, order }: { notice: StoredNotice; order: StoredOrder },
): Promise<Gathered | null> {
  const { realm_id: realmId, order_id: orderId, shipment_id: shipmentId, facts, document } = notice;
  const partner = findPartner(ctx.partners, notice.partner);
  if (!("invoice" in facts) || !partner) return null;
  // A ship notice that left before labels were voided says too much.
  const shipped = (await listOrderShipments(tx, realmId, [orderId])).filter(
    (part) => shipmentId === null || part.shipmentId === shipmentId,
  );
  const findLabels = ({ shipment_id: id }: StoredNotice) =>
    shipped.find((part) => part.shipmentId === id && !part.isVoided);
  const shipNotices = (await findOrderShipNotices(tx, realmId, orderId)).filter(findLabels);
  const ofOrders = await findInvoiceNotices(tx, realmId, { orderId });
  const others = ofOrders.flatMap((other) =>
    other.state !== "rejected" && "invoice" in other.facts && other.facts.invoice.id !== facts.invoice.id
      ? [other.facts.invoice]
      : [],
  );
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
    isIncomplete: shipmentId === null && (order.state === "open" || order.state === "labelling"),
    isVoided: shipped.length > 0 && shipped.every(({ isVoided }) => isVoided),
    shipments: shipNotices.flatMap((notice) => {
      const labels = findLabels(notice);
      if (!labels || !("cartons" in notice.facts)) return [];
      const vendorNumber = notice.facts.vendorNumber || current;
      return [{ ...notice.facts, ...describeShipped(labels), vendorNumber }];
    }),
    others: takeCredits(others, [facts.invoice, ...others]),
    // The one that left, or was planned first, keeps the number.
    duplicateNumberPo:
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

/** Invoices without what a later one of them says is credited. */
export const takeCredits = (
  invoices: readonly BookedInvoice[],
  later: readonly BookedInvoice[],
): BookedInvoice[] =>
  invoices.map((invoice) => {
    const credits = later.flatMap(({ credited = [] }) => credited.filter(({ id }) => id === invoice.id));
    // A later credit names the pieces of an earlier one, too.
    const credited = (line: string) =>
      credits
        .flatMap(({ lines }) => lines.filter((each) => each.line === line))
        .reduce((most, { quantity }) => (Number(quantity) > Number(most) ? quantity : most), "0");
    return {
      ...invoice,
      lines: invoice.lines.map((line) => ({
        ...line,
        quantity: addDecimals([line.quantity, `-${credited(line.line)}`]),
      })),
      ...(credits.some(({ isWhole }) => isWhole) && { freight: "0.00", allowance: "0.00" }),
    };
  });

/**
 * Lets invoice documents leave whose ship notices are where their retailer wants them, and that agree with these and their order.
 * One that doesn't agree, or no longer does, waits with the reasons. Called after each change of a notice or an order.
 * @param which an order, or all of a company; they are locked, before their notices as everywhere
 */
export async function releaseInvoices(
  ctx: OrdersCtx,
  tx: Db,
  which: { realmId: string; orderId?: string },
): Promise<void> {
  const { realmId, orderId } = which;
  const orderIds = orderId === undefined ? await findUnsentInvoices(tx, realmId, null) : [orderId];
  const orders = await lockOrders(tx, realmId, orderIds);
  for (const notice of await lockUnsentInvoices(tx, realmId, orderIds)) {
    const order = orders.find(({ id }) => id === notice.order_id);
    const parts = order && (await gatherInvoice(ctx, tx, { notice, order }));
    if (!parts) continue;
    const id = { realmId, id: notice.id };
    const problems = listProblems(parts, order);
    const isReady =
      problems.length === 0 && parts.shipNotices.every((shipNotice) => isFar(shipNotice, parts));
    const isSame = isReady !== notice.is_held && problems.join("\n") === notice.problems.join("\n");
    if (isSame) continue;
    const due = isReady && { due_at: ctx.clock.now() };
    await changeNotice(tx, id, { is_held: !isReady, ...due, problems });
  }
}

/**
 * Why an invoice document must not leave; none if it agrees with valid labels, a valid ship notice, and an order without
 * a waiting change or cancellation.
 */
const listProblems = (parts: Gathered, order: StoredOrder): string[] => [
  ...checkLabels(parts),
  ...(findOpenCancel(order) ? [ORDER_CANCELED] : []),
  ...(order.waiting ? [CHANGE_WAITS] : []),
  ...(parts.shipNotices.some(({ state }) => state === "rejected") ? [SHIP_NOTICE_REJECTED] : []),
];

function checkLabels(parts: Gathered): string[] {
  if (parts.isIncomplete) return [orderIncomplete(parts.invoice.number)];
  return parts.isVoided ? [labelsVoided(parts.invoice.number)] : checkInvoice(parts);
}

const SHIP_NOTICE_REJECTED =
  "The retailer rejected the ship notice, so it would not pay this invoice. Enter both in the retailer's portal.";

/** Whether a ship notice is as far as the retailer wants it before its invoice, and its labels aren't being voided. */
const isFar = ({ state, document, is_held: isHeld }: StoredNotice, { partner }: InvoiceParts): boolean =>
  !isHeld &&
  (state === "accepted" ||
    (state === "sent" && (isXml(document) || partner.invoices.after === "ship_notice_sent")));
