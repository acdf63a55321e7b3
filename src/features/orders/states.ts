import type { Db } from "#platform/db/connect.ts";
import { conflict, notFound } from "#platform/errors.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { planNotice } from "#features/orders/notices-out/notices.ts";
import { canMove } from "#features/orders/rules.ts";
import { changeOrder, lockOrders, type StoredOrder } from "#features/orders/store.ts";
import type { OrderState } from "#features/orders/types.ts";

/** @throws AppError 404 if the company has no such order */
export async function lockOrder(tx: Db, realmId: string, id: string): Promise<StoredOrder> {
  const [order] = await lockOrders(tx, realmId, [id]);
  if (!order) throw orderUnknown();
  return order;
}

export const orderUnknown = () => notFound("This company has no such order. Reload the page.");

type Cancelled = { by: string; reason: string; at: Date };

/**
 * Moves a locked order to another state: the only place that changes it.
 * @param cancelled by whom and why; for the state "cancelled" only
 * @throws AppError 409 for a move that its state does not allow
 */
export async function moveOrder(
  tx: Db,
  order: StoredOrder,
  to: OrderState,
  cancelled: Cancelled | null = null,
): Promise<void> {
  if (!canMove(order.state, to)) throw cannotMove(order, to);
  await changeOrder(tx, order, {
    state: to,
    cancelled_at: cancelled?.at ?? null,
    cancelled_by: cancelled?.by ?? null,
    cancel_reason: cancelled?.reason ?? null,
  });
}

function cannotMove({ state, po_number: poNumber }: StoredOrder, to: OrderState) {
  const po = `PO # ${poNumber}`;
  if (to === "cancelled" && state === "labelled")
    return conflict("has_labels", `${po} has labels. Void them in History first.`);
  if (state === "labelling")
    return conflict("labels_being_made", `Labels of ${po} are being made. Wait until that has ended.`);
  if (state === "cancelled") return conflict("order_cancelled", `${po} is cancelled. Restore it first.`);
  if (state === "labelled") return conflict("has_labels", `${po} has labels already. They are in History.`);
  return conflict("order_open", `${po} is open.`);
}

/** Cancels a locked order and plans the retailer's notice of it. @throws AppError 409 for one that is not open */
export async function cancelLocked(
  ctx: OrdersCtx,
  tx: Db,
  order: StoredOrder,
  { by, reason }: { by: string; reason: string },
): Promise<void> {
  await moveOrder(tx, order, "cancelled", { by, reason, at: ctx.clock.now() });
  await planNotice(ctx, tx, order, { kind: "cancel", reason });
}

/**
 * Opens an order after its labels failed or were voided. If the retailer cancelled it meanwhile, it is cancelled.
 * @returns the new state
 */
export async function reopenOrder(ctx: OrdersCtx, tx: Db, order: StoredOrder): Promise<OrderState> {
  await moveOrder(tx, order, "open");
  if (order.cancellation_asked_at === null) return "open";
  await cancelLocked(ctx, tx, { ...order, state: "open" }, { by: RETAILER, reason: ASKED });
  await changeOrder(tx, order, { cancellation_asked_at: null });
  return "cancelled";
}

/** The retailer, where a user's address stands otherwise. */
export const RETAILER = "retailer";
/** Reason of a cancellation by the retailer. */
export const ASKED = "merchant_request";
