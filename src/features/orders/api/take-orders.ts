import * as z from "zod";
import type { Audited } from "#features/audit/index.ts";
import { MAX_ORDERS, partnerOrder, type PartnerOrder } from "#features/orders/api/contract.ts";
import type { OrderDocumentResult } from "#features/orders/contract.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { acceptDocuments } from "#features/orders/intake/accept-documents.ts";
import type { ReadOrders } from "#features/orders/intake/read-orders.ts";
import { refuse } from "#features/orders/intake/refuse.ts";
import { findPartner } from "#features/orders/partners/partners.ts";
import { checkOrder } from "#features/orders/rules.ts";
import type { Order, RefusedDocument } from "#features/orders/types.ts";
import { badRequest } from "#platform/errors.ts";
import { refuseShape } from "#platform/http/refuse-shape.ts";

/** Name of such a document for users. */
const FILE_NAME = "orders.json";

/**
 * Takes the orders of a call of a company's program, as those of a file: each is added, the same, waiting or refused.
 * @param bytes the body as it came in, which is kept
 * @param body one order, or a list
 * @throws AppError 400 for no order, and for more than `MAX_ORDERS`
 */
export async function takeOrders(
  ctx: OrdersCtx & Audited,
  { realmId, by, bytes }: { realmId: string; by: string; bytes: Buffer },
  body: unknown,
): Promise<{ orders: OrderDocumentResult[] }> {
  const sent: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (body === undefined || body === null || sent.length === 0)
    throw badRequest("no_orders", "The call has no orders. Send one order, or a list.");
  if (sent.length > MAX_ORDERS)
    throw badRequest(
      "too_many_orders",
      `A call has at most ${MAX_ORDERS} orders. Send them in several calls.`,
    );
  const documents = sent.map((order) => readOrder(ctx, order));
  const incoming = { realmId, channel: "api", fileName: FILE_NAME, bytes, by } as const;
  const { results } = await acceptDocuments(ctx, incoming, { documents, replies: [] });
  return { orders: results };
}

/** Reads one order; what is wrong with it are sentences. */
function readOrder({ partners }: OrdersCtx, sent: unknown): ReadOrders["documents"][number] {
  const partner = partners[0].id;
  const { data, error } = z.safeParse(partnerOrder, sent, { reportInput: true });
  if (error) {
    const problems = refuseShape("body", error).message.split("\n");
    return refuseFrom(partner, refuse(readNumber(sent), problems));
  }
  const order = toOrder(data);
  const known = findPartner(partners, data.partner);
  const problems = known ? checkOrder(order) : [`The retailer "${data.partner}" isn't known here.`];
  const { poNumber } = order;
  if (problems.length > 0) return refuseFrom(partner, refuse(poNumber, problems));
  return { partner: data.partner, document: { kind: "order", poNumber, order } };
}

const refuseFrom = (partner: string, document: RefusedDocument) => ({ partner, document });

/** The PO number of an order that can't be read, to name it in the answer; empty for none. */
function readNumber(sent: unknown): string {
  const number = partnerOrder.shape.po_number.safeParse((sent as { po_number?: unknown } | null)?.po_number);
  return number.success ? number.data : "";
}

const toOrder = (sent: PartnerOrder): Order => ({
  poNumber: sent.po_number,
  customerOrder: sent.customer_order,
  orderDate: sent.po_date,
  shipBy: sent.ship_by,
  cancelAfter: sent.cancel_after,
  shipTo: sent.ship_to,
  serviceCode: sent.service_code,
  references: sent.references,
  giftMessage: sent.gift_message,
  vendorMessage: sent.vendor_message,
  lines: sent.lines.map((line) => ({
    line: line.line,
    buyerSku: line.buyer_sku,
    vendorSku: line.vendor_sku,
    upc: line.upc,
    description: line.description,
    quantity: String(line.qty),
    unit: line.uom,
    unitCost: String(line.unit_cost),
  })),
});
