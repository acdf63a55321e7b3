import { readKeptLists } from "#features/books/index.ts";
import { findTimeZone } from "#features/companies/index.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import {
  divideBills,
  draftInvoice,
  listWaits,
  type Bill,
  type Draft,
  type Overbilled,
} from "#features/order-invoices/rules-draft.ts";
import { findCharged } from "#features/order-invoices/rules-charged.ts";
import { findExcess, listBilled } from "#features/order-invoices/rules-excess.ts";
import { listParts, type Part } from "#features/order-invoices/shipments.ts";
import {
  findBookedIds,
  findInvoices,
  findMatches,
  removeDrafts,
  saveDrafts,
  type StoredInvoice,
} from "#features/order-invoices/store.ts";
import {
  findInvoiceNotices,
  findOrders,
  findPartner,
  hasInvoice,
  nameRetailer,
  type Partner,
  type StoredOrder,
} from "#features/orders/index.ts";
import { dayIn } from "#formats/text/phrases.ts";

/** An order with what left of it and its invoices. */
export type Billed = {
  order: StoredOrder;
  partner: Partner;
  parts: readonly Part[];
  invoices: StoredInvoice[];
};

/**
 * Brings the drafts of the given orders up to date with what was shipped, the books and the matches of users. What is being posted or
 * was posted stays.
 * @throws AppError 409 or 503 if the books can't be read
 */
export async function refreshDrafts(
  ctx: OrderInvoicesCtx,
  realmId: string,
  orderIds: readonly string[],
): Promise<Billed[]> {
  const orders = await findOrders(ctx.db, realmId, orderIds);
  if (orders.length === 0) return [];
  const parts = await listParts(ctx.db, realmId, orders);
  const before = Map.groupBy(await findInvoices(ctx.db, realmId, orderIds), (invoice) => invoice.order_id);
  const asked = [...before.values()].flat().flatMap(({ theirs }) => theirs?.id ?? []);
  const booked = await findBookedIds(ctx.db, realmId, asked);
  const lists = await readKeptLists(ctx, realmId);
  const toDay = dayIn(await findTimeZone(ctx.db, realmId));
  for (const [partnerId, own] of Map.groupBy(orders, ({ partner }) => partner)) {
    const partner = findPartner(ctx.partners, partnerId);
    if (!partner) continue;
    const matches = await findMatches(ctx.db, realmId, partnerId);
    for (const order of own) {
      const known = before.get(order.id) ?? [];
      const shipped = parts.get(order.id) ?? [];
      const bills = divideBills(shipped, partner, order);
      const settled = known.filter(({ state }) => state !== "draft");
      const isSettled = ({ shipmentId }: Bill) =>
        settled.some((invoice) => invoice.shipment_id === shipmentId);
      const drafted = bills.filter((bill) => !isSettled(bill));
      const overbilled: Overbilled[] = [];
      const charging: Draft[] = [];
      for (const invoice of settled) {
        const over = await findOverbilled(ctx, invoice, { parts: shipped, order });
        if (over) overbilled.push(over);
        // If an invoice is undone or credited as a whole, a draft has its charges too.
        if (!over?.isWhole) charging.push(invoice.draft);
      }
      const charged = findCharged(drafted, charging);
      const draftBill = (bill: Bill): Draft =>
        draftInvoice({
          order: order.content,
          partner,
          retailer: nameRetailer(partner, ctx),
          shipments: bill.shipments,
          hasOrderCharges: bill === charged,
          shipDate: toDay(bill.shipments.at(-1)?.leftAt ?? ctx.clock.now()),
          lists,
          matches,
          overbilled,
        });
      await saveDrafts(
        ctx.db,
        drafted.map((bill) => {
          const draft = draftBill(bill);
          const stored = known.find(({ shipment_id: id }) => id === bill.shipmentId);
          // One that bills another shipment meanwhile is not asked about.
          const theirs = stored?.theirs && !booked.has(stored.theirs.id) ? stored.theirs : null;
          return {
            realm_id: realmId,
            id: stored?.id ?? ctx.ids.uuid(),
            order_id: order.id,
            shipment_id: bill.shipmentId,
            partner: partnerId,
            po_number: order.po_number,
            draft,
            theirs,
            waits: listWaits(draft, { ...stored?.answers, theirs }),
          };
        }),
      );
      const live = new Set(bills.map(({ shipmentId }) => shipmentId));
      const voided = known.filter((invoice) => invoice.state === "draft" && !live.has(invoice.shipment_id));
      await removeDrafts(
        ctx.db,
        realmId,
        voided.map(({ id }) => id),
      );
    }
  }
  const now = Map.groupBy(await findInvoices(ctx.db, realmId, orderIds), (invoice) => invoice.order_id);
  return orders.flatMap((order) => {
    const partner = findPartner(ctx.partners, order.partner);
    return partner
      ? [{ order, partner, parts: parts.get(order.id) ?? [], invoices: now.get(order.id) ?? [] }]
      : [];
  });
}

async function findOverbilled(
  { db }: OrderInvoicesCtx,
  { realm_id: realmId, qbo_id: qboId, shipment_id, draft }: StoredInvoice,
  { parts, order }: Pick<Billed, "parts" | "order">,
): Promise<Overbilled | null> {
  const documents = qboId === null ? [] : await findInvoiceNotices(db, realmId, { invoiceId: qboId });
  const excess = findExcess({ shipment_id, ...listBilled(draft, documents) }, parts, order);
  return excess && { qboId, isSent: hasInvoice(documents), ...excess };
}

/** Whether what an invoice bills has left: before, it isn't posted. */
export const hasLeft = ({ parts }: Billed, { shipment_id: id }: StoredInvoice): boolean =>
  parts
    .filter(({ shipmentId }) => id === null || shipmentId === id)
    .every(({ notice }) => notice !== "pending");
