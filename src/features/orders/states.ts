import type { Db } from "#platform/db/connect.ts";
import { conflict } from "#platform/errors.ts";
import { toJson } from "#platform/db/json.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import { orderUnknown } from "#features/orders/errors.ts";
import {
  nameCanceled,
  nextLineCancel,
  planNotice,
  releaseInvoices,
} from "#features/orders/notices-out/notices.ts";
import { countSeenCancels } from "#features/orders/notices-out/store.ts";
import { findPartner } from "#features/orders/partners/partners.ts";
import { canMove } from "#features/orders/rules.ts";
import { deriveState, hasOpen, listOpen, type Pieces } from "#features/orders/rules-shipped.ts";
import { readLineStates } from "#features/orders/store-shipped.ts";
import { changeOrder, lockOrders, type StoredOrder } from "#features/orders/store.ts";
import type { LineCancel, OrderState } from "#features/orders/types.ts";

/** @throws AppError 404 if the company has no such order */
export async function lockOrder(tx: Db, realmId: string, id: string): Promise<StoredOrder> {
  const [order] = await lockOrders(tx, realmId, [id]);
  if (!order) throw orderUnknown();
  return order;
}

type Canceled = { by: string; reason: string; at: Date };

/**
 * Moves a locked order to another state: the only place that changes it.
 * @param cancelled by whom and why; for the state "cancelled" only
 * @throws AppError 409 for a move that its state does not allow
 */
export async function moveOrder(
  tx: Db,
  order: StoredOrder,
  to: OrderState,
  cancelled: Canceled | null = null,
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
    return conflict("labels_being_made", `Labels of ${po} are being made. Wait until they're done.`);
  if (state === "cancelled") return conflict("order_cancelled", `${po} is canceled. Restore it first.`);
  if (state === "labelled") return conflict("has_labels", `${po} already has labels. They are in History.`);
  return conflict("order_open", `${po} is open.`);
}

/**
 * Cancels what is left to ship of a locked order, and plans the retailer's notice of it: the order, or its lines if a part has
 * labels.
 * @throws AppError 409 for one that is not open
 */
export async function cancelLocked(
  ctx: OrdersCtx,
  tx: Db,
  order: StoredOrder,
  { by, reason }: { by: string; reason: string },
): Promise<OrderState> {
  const states = await readLineStates(tx, order);
  const open = listOpen(states);
  if (order.state === "open" && states.some(({ shipped }) => Number(shipped) > 0))
    return cancelPieces(ctx, tx, order, { by, reason, lines: open });
  const at = ctx.clock.now();
  await moveOrder(tx, order, "cancelled", { by, reason, at });
  await releaseInvoices(ctx, tx, { realmId: order.realm_id, orderId: order.id });
  const lines = order.line_cancels.length > 0 ? open : null;
  // One that the retailer rejected has left, under a control number of its own.
  const sequence = await countSeenCancels(tx, order.realm_id, order.id);
  const cancels = await addCancels(tx, order, { by, reason, at, lines: open, isWhole: true, sequence });
  await planNotice(ctx, tx, order, {
    kind: "cancel",
    reason,
    lines,
    canceledSoFar: nameCanceled(cancels),
    isWhole: true,
    sequence,
  });
  return "cancelled";
}

/** Cancels pieces of a locked open order, and plans the retailer's notice of them. @returns the order's new state */
export async function cancelPieces(
  ctx: OrdersCtx,
  tx: Db,
  order: StoredOrder,
  { by, reason, lines }: { by: string; reason: string; lines: readonly Pieces[] },
): Promise<OrderState> {
  const sequence = await nextLineCancel(tx, order);
  const at = ctx.clock.now();
  const cancels = await addCancels(tx, order, { by, reason, at, lines, isWhole: false, sequence });
  await planNotice(ctx, tx, order, {
    kind: "cancel",
    reason,
    lines,
    canceledSoFar: nameCanceled(cancels),
    isWhole: false,
    sequence,
  });
  return settleOrder(ctx, tx, { ...order, line_cancels: cancels });
}

type Cancels = Canceled & { lines: readonly Pieces[] } & Pick<LineCancel, "isWhole" | "sequence">;

async function addCancels(
  tx: Db,
  order: StoredOrder,
  { at, lines, ...canceled }: Cancels,
): Promise<readonly LineCancel[]> {
  const added = lines.map((pieces) => ({ ...pieces, ...canceled, at: at.toISOString() }));
  const cancels = [...order.line_cancels, ...added];
  await changeOrder(tx, order, { line_cancels: toJson(cancels) });
  return cancels;
}

/**
 * Moves a locked order to the state that follows from its lines, after labels were made, failed or were voided, or its lines
 * changed. If the retailer canceled it meanwhile, what is open is canceled, and the labels that it still has must be voided.
 * @returns the new state
 */
export async function settleOrder(ctx: OrdersCtx, tx: Db, order: StoredOrder): Promise<OrderState> {
  const lines = await readLineStates(tx, order);
  const state = deriveState(lines);
  // The retailer took the rest of an order back whose other pieces are canceled: it knows.
  const cancelled = state === "cancelled" ? { ...byRetailer(ctx, order), at: ctx.clock.now() } : null;
  if (state !== order.state) {
    await moveOrder(tx, order, state, cancelled);
    // The one invoice of an order leaves once nothing is left to ship.
    await releaseInvoices(ctx, tx, { realmId: order.realm_id, orderId: order.id });
  }
  if (order.cancellation_asked_at === null || !hasOpen(lines)) return state;
  const hasLabels = lines.some(({ shipped }) => Number(shipped) > 0);
  const settled = hasLabels ? {} : { cancellation_asked_at: null, ship_confirmed_at: null };
  if (!hasLabels) await changeOrder(tx, order, settled);
  return cancelLocked(ctx, tx, { ...order, state, ...settled }, byRetailer(ctx, order));
}

/** A cancellation by the retailer of an order: its name is shown in place of a user's address. */
export const byRetailer = ({ partners }: Pick<OrdersCtx, "partners">, { partner }: StoredOrder) => ({
  by: "retailer",
  reason: findPartner(partners, partner)?.ownCancelReason ?? "",
});
