import type { Audited } from "#features/audit/index.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { cannotReject, cannotSendAgain, noticesUnknown, orderUnknown } from "#features/orders/errors.ts";
import type { OrderDocument, RetailerMessageView } from "#features/orders/notices-out/contract.ts";
import { toNotice } from "#features/orders/notices-out/list-notices.ts";
import { rejectNotice } from "#features/orders/notices-out/answer-notice.ts";
import { isResendable, listObjections, planInvoiceDocument } from "#features/orders/notices-out/notices.ts";
import {
  findNoticeOrders,
  listMessages,
  listOrderNotices,
  lockNotices,
  type StoredMessage,
} from "#features/orders/notices-out/store.ts";
import { findOrders, lockOrders } from "#features/orders/store.ts";

/**
 * All documents to the retailer about an order, the first one first, each with what the retailer says of it.
 * @throws AppError 404 for an unknown order
 */
export async function readOrderDocuments(
  ctx: OrdersCtx,
  realmId: string,
  orderId: string,
): Promise<{ documents: OrderDocument[]; messages: RetailerMessageView[] }> {
  const now = ctx.clock.now();
  if ((await findOrders(ctx.db, realmId, [orderId])).length === 0) throw orderUnknown();
  const notices = await listOrderNotices(ctx.db, realmId, orderId);
  const messages = await listMessages(ctx.db, realmId, { orderId, limit: MOST });
  return {
    documents: notices.map((notice) => ({
      ...toNotice(notice, now),
      document: notice.document,
      invoice_number: "invoice" in notice.facts ? notice.facts.invoice.number : null,
      shipment_id: notice.shipment_id,
      planned_at: notice.created_at.toISOString(),
      sent_at: notice.sent_at?.toISOString() ?? null,
      ended_at: notice.ended_at?.toISOString() ?? null,
      messages: messages.filter((message) => message.notice_id === notice.id).map(toView),
    })),
    messages: messages.filter((message) => message.notice_id === null).map(toView),
  };
}

const MOST = 200;

/** The newest messages of retailers, including those about no stored document or order. */
export const readMessages = async (
  ctx: OrdersCtx,
  realmId: string,
  limit: number,
): Promise<RetailerMessageView[]> => (await listMessages(ctx.db, realmId, { limit })).map(toView);

const toView = ({ id, document, meaning, sentences, received_at: at, order_id }: StoredMessage) => ({
  id,
  document,
  meaning,
  sentences: [...sentences],
  at: at.toISOString(),
  order_id,
});

/**
 * Plans a further document of an invoice that the retailer refused: the same invoice number, under a new control number.
 * @throws AppError 404 for an unknown notice; 409 for one that isn't a rejected invoice
 */
export async function sendAgain(
  ctx: OrdersCtx & Audited,
  realmId: string,
  id: string,
): Promise<{ id: string }> {
  return ctx.db.transaction().execute(async (tx) => {
    const [order] = await lockOrders(tx, realmId, await findNoticeOrders(tx, realmId, [id]));
    const [notice] = await lockNotices(tx, realmId, [id]);
    if (!notice || !order) throw noticesUnknown();
    const { facts } = notice;
    if (!("invoice" in facts) || !isResendable(notice)) throw cannotSendAgain(notice.po_number);
    const about = { shipmentId: notice.shipment_id, invoice: facts.invoice };
    const planned = await planInvoiceDocument(ctx, tx, order, about);
    if (!planned) throw cannotSendAgain(notice.po_number);
    await ctx.audit(tx, { action: "orders.notices", after: { notices: 1, po_numbers: notice.po_number } });
    return planned;
  });
}

/**
 * Marks the document of an invoice as rejected: it can be resent, or the invoice undone.
 * @throws AppError 404 for an unknown notice; 409 for one about which the retailer wrote nothing
 */
export async function rejectByUser(ctx: OrdersCtx & Audited, realmId: string, id: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const [order] = await lockOrders(tx, realmId, await findNoticeOrders(tx, realmId, [id]));
    const [notice] = await lockNotices(tx, realmId, [id]);
    if (!notice || !order) throw noticesUnknown();
    const messages = await listMessages(tx, realmId, { orderId: order.id, limit: MOST });
    const objections = listObjections(notice, messages);
    if (objections.length === 0) throw cannotReject(notice.po_number);
    await rejectNotice(
      ctx,
      tx,
      notice,
      objections.flatMap(({ sentences }) => sentences),
    );
    await ctx.audit(tx, { action: "orders.reject_notice", after: { po_number: notice.po_number } });
  });
}
