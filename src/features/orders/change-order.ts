import type { Audited } from "#features/audit/index.ts";
import {
  changedSince,
  nothingToConfirm,
  nothingWaits,
  onlyWholeOrders,
  orderUnknown,
  retailerNotified,
  severalOrders,
  unknownReason,
} from "#features/orders/errors.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import {
  hasInvoice,
  listUnsentCancels,
  releaseInvoices,
  renewCancellations,
  withdrawCancellation,
} from "#features/orders/notices-out/notices.ts";
import { findInvoiceNotices } from "#features/orders/notices-out/store.ts";
import { findPartner, type Partner } from "#features/orders/partners/partners.ts";
import { checkOrder, findOpenCancel, isPriceChange } from "#features/orders/rules.ts";
import { INVOICED_WHOLE } from "#features/orders/sentences.ts";
import { cancelLocked, cancelPieces, lockOrder, moveOrder, settleOrder } from "#features/orders/states.ts";
import {
  findCancelFault,
  findLostPieces,
  keepCanceled,
  type LineState,
  listOpen,
  listText,
  mergePieces,
  type Pieces,
} from "#features/orders/rules-shipped.ts";
import { readLineStates } from "#features/orders/store-shipped.ts";
import { changeOrder, findOrders, findOrdersByNumber, type StoredOrder } from "#features/orders/store.ts";
import type { LineCancel, ShipTo } from "#features/orders/types.ts";
import type { Db } from "#platform/db/connect.ts";
import { badRequest, conflict } from "#platform/errors.ts";
import { toJson } from "#platform/db/json.ts";

/**
 * Cancels an open order; canceling again is harmless.
 * @param reason one of the retailer's
 * @throws AppError 404 for an unknown order; 409 for one with labels; 400 for an unknown reason
 */
export async function cancelOrder(
  ctx: OrdersCtx & Audited,
  realmId: string,
  { id, reason, by }: { id: string; reason: string; by: string },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, realmId, id);
    requireReason(ctx, order, reason);
    if (order.state === "cancelled") return;
    await cancelLocked(ctx, tx, order, { by, reason });
    await ctx.audit(tx, { action: "orders.cancel", after: { po_number: order.po_number, reason } });
  });
}

/** The retailer of an order, if it has a reason to cancel. @throws AppError 400 */
function requireReason({ partners }: OrdersCtx, order: StoredOrder, reason: string): Partner {
  const partner = findPartner(partners, order.partner);
  if (!partner?.cancelReasons.some(({ id }) => id === reason)) throw unknownReason();
  return partner;
}

/**
 * The order that a caller means: by its id, else by its number.
 * @throws AppError 404 for an unknown order; 409 for a number that several orders of the retailer have
 */
export async function findNamedOrder(
  db: Db,
  realmId: string,
  { id, partner, poNumber }: { id: string | undefined; partner: string; poNumber: string },
): Promise<StoredOrder> {
  const found = id
    ? await findOrders(db, realmId, [id])
    : await findOrdersByNumber(db, realmId, { partner, poNumber });
  const [order] = found;
  if (!order) throw orderUnknown();
  if (found.length > 1) throw severalOrders(poNumber);
  return order;
}

/** Pieces that won't be shipped. `reason` is one of the retailer's. */
type Cancels = { lines: readonly Pieces[]; reason: string };

/**
 * Cancels pieces of an open order that won't be shipped.
 * @throws AppError 404 for an unknown order; 409 for one that isn't open; others as of `requireCancelable`
 */
export async function cancelLines(
  ctx: OrdersCtx & Audited,
  realmId: string,
  { id, ...cancels }: Cancels & { id: string; by: string },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, realmId, id);
    if (order.state !== "open") return moveOrder(tx, order, order.state);
    await cancelLockedLines(ctx, tx, order, cancels);
  });
}

/** The same of a locked open order. @throws AppError before it writes anything, as of `requireCancelable` */
export async function cancelLockedLines(
  ctx: OrdersCtx & Audited,
  tx: Db,
  order: StoredOrder,
  { by, reason, ...wanted }: Cancels & { by: string },
): Promise<void> {
  const states = await readLineStates(tx, order);
  const lines = requireCancelable(ctx, order, { ...wanted, reason, states });
  const isRest = listOpen(states).every(({ line, quantity }) =>
    lines.some((canceled) => canceled.line === line && Number(canceled.quantity) >= Number(quantity)),
  );
  if (isRest) await cancelLocked(ctx, tx, order, { by, reason });
  else await cancelPieces(ctx, tx, order, { by, reason, lines });
  const after = { po_number: order.po_number, lines: listText(lines), reason };
  await ctx.audit(tx, { action: "orders.cancel_lines", after });
}

/**
 * Pieces to cancel, each line once.
 * @throws AppError 400 for pieces that aren't left, or an unknown reason; 409 for a retailer that accepts whole orders only
 */
export function requireCancelable(
  ctx: OrdersCtx,
  order: StoredOrder,
  { lines: wanted, reason, states }: Cancels & { states: readonly LineState[] },
): Pieces[] {
  const smallest = findSmallest(order, requireReason(ctx, order, reason));
  if (smallest === "order") throw onlyWholeOrders();
  const lines = mergePieces(wanted);
  const fault = findCancelFault(states, lines, smallest);
  if (fault !== null) throw badRequest("pieces_not_open", fault);
  return lines;
}

/** The least that a retailer accepts a cancellation of, in the format of an order. */
const findSmallest = ({ trading }: StoredOrder, { canCancel }: Partner): Partner["canCancel"] =>
  trading?.format === "xml" ? "quantity" : canCancel;

/**
 * Finds the cancellations that end if the order that waits is used. A retailer that accepts them only of all that is left of a line would
 * count what it adds to the line as canceled, too, when it gets a notice that hasn't left.
 */
export async function listEnding(
  { partners }: Pick<OrdersCtx, "partners">,
  db: Db,
  order: StoredOrder,
): Promise<readonly LineCancel[]> {
  const { waiting, partner } = order;
  const retailer = findPartner(partners, partner);
  if (!waiting || !retailer || findSmallest(order, retailer) === "quantity") return [];
  const cancels = order.line_cancels.filter(({ isWhole }) => !isWhole);
  const kept = keepCanceled(await readLineStates(db, order), waiting.lines, cancels);
  const open = listOpen(await readLineStates(db, { ...order, content: waiting, line_cancels: kept }));
  const unsent = await listUnsentCancels(db, order);
  return cancels.filter(
    (canceled) =>
      open.some(({ line }) => line === canceled.line) &&
      unsent.some(({ facts }) => facts.sequence === canceled.sequence),
  );
}

/**
 * Reopens a canceled order.
 * @throws AppError 404 for an unknown order; 409 for one that the retailer may know to be canceled
 */
export async function restoreOrder(ctx: OrdersCtx & Audited, realmId: string, id: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, realmId, id);
    if (order.state === "open") return;
    await reopen(ctx, tx, order);
    await ctx.audit(tx, { action: "orders.restore", after: { po_number: order.po_number } });
  });
}

/** Reopens a locked order that is canceled, and takes its cancellation back. @throws AppError 409 */
async function reopen(ctx: OrdersCtx, tx: Db, order: StoredOrder): Promise<StoredOrder> {
  await moveOrder(tx, order, "open");
  const kept = order.line_cancels.filter(({ isWhole }) => !isWhole);
  await changeOrder(tx, order, { line_cancels: toJson(kept) });
  if (await withdrawCancellation(tx, order, ctx.clock.now())) throw retailerNotified(order.po_number);
  return { ...order, state: "open", line_cancels: kept };
}

/** Corrects the address of an open order, or confirms it as it is. @throws AppError 404; 409 while its labels are made or live */
export async function correctAddress(
  ctx: OrdersCtx & Audited,
  realmId: string,
  { id, shipTo }: { id: string; shipTo: ShipTo },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, realmId, id);
    if (order.state !== "open") return moveOrder(tx, order, order.state);
    const content = { ...order.content, shipTo };
    const [problem] = checkOrder(content);
    if (problem !== undefined) throw badRequest("address_not_valid", problem);
    await changeOrder(tx, order, {
      content: toJson(content),
      customer_name: shipTo.name,
      is_address_confirmed: true,
    });
    const address = ({ lines, city, state, zip }: ShipTo) => ({ lines: lines.join(", "), city, state, zip });
    const { po_number } = order;
    const before = address(order.content.shipTo);
    await ctx.audit(tx, { action: "orders.address", before, after: { po_number, ...address(shipTo) } });
  });
}

/** Whether the order that waits can take the place of one: what was shipped as ordered can still get other prices and charges. */
export const canUseNew = ({ state, content, waiting }: StoredOrder): boolean =>
  state === "open" || (state === "labelled" && waiting !== null && isPriceChange(content, waiting));

/**
 * Lets an order be billed that its retailer canceled after its labels were made: it shipped.
 * @throws AppError 404; 409 for one that isn't canceled so, or is confirmed
 */
export async function confirmShipped(ctx: OrdersCtx & Audited, realmId: string, id: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, realmId, id);
    if (!findOpenCancel(order)) throw nothingToConfirm(order.po_number);
    await changeOrder(tx, order, { ship_confirmed_at: ctx.clock.now() });
    await releaseInvoices(ctx, tx, { realmId, orderId: id });
    await ctx.audit(tx, { action: "orders.confirm_shipped", after: { po_number: order.po_number } });
  });
}

/** An order that waits has pieces that nothing would bill: the retailer takes one invoice of an order, and has it. */
export async function isInvoicedWhole(
  { partners }: Pick<OrdersCtx, "partners">,
  db: Db,
  { realm_id: realmId, id: orderId, partner, content, waiting }: StoredOrder,
): Promise<boolean> {
  if (findPartner(partners, partner)?.invoices.per !== "order") return false;
  const ordered = new Map(content.lines.map(({ line, quantity }) => [line, Number(quantity)]));
  const isMore = waiting?.lines.some(({ line, quantity }) => Number(quantity) > (ordered.get(line) ?? 0));
  return isMore === true && hasInvoice(await findInvoiceNotices(db, realmId, { orderId }));
}

/**
 * Answers a different order that came in under the number of a stored one. A canceled one is reopened if the new one is chosen.
 * @param receivedAt when the different one came in that the user saw
 * @throws AppError 404; 409 when none waits, or another one replaced it since, or a new one is chosen while the order has labels and more than prices and charges
 * differ, or the retailer may know that it is canceled, or has its one invoice and wants more
 */
export async function decideOrder(
  ctx: OrdersCtx & Audited,
  realmId: string,
  { id, choice, receivedAt }: { id: string; choice: "use_new" | "keep"; receivedAt: string | undefined },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const known = await lockOrder(tx, realmId, id);
    const { waiting, waiting_fingerprint: fingerprint } = known;
    if (!waiting || fingerprint === null) throw nothingWaits(known.po_number);
    if (receivedAt !== known.waiting_at?.toISOString()) throw changedSince();
    const isReopened = choice === "use_new" && known.state === "cancelled";
    const order = isReopened ? await reopen(ctx, tx, known) : known;
    if (choice === "use_new" && !canUseNew(order)) await moveOrder(tx, order, order.state);
    if (choice === "use_new" && (await isInvoicedWhole(ctx, tx, order)))
      throw conflict("invoiced_whole", INVOICED_WHOLE);
    const states = await readLineStates(tx, order);
    const fault = choice === "use_new" ? findLostPieces(states, waiting.lines) : null;
    if (fault !== null) throw conflict("pieces_gone", fault);
    const ending = await listEnding(ctx, tx, order);
    const staying = order.line_cancels.filter((canceled) => !ending.includes(canceled));
    const kept = keepCanceled(states, waiting.lines, staying);
    const none = { waiting: null, waiting_fingerprint: null, waiting_at: null };
    const { lastChange } = order.content;
    const used = {
      content: toJson({ ...waiting, ...(lastChange && { lastChange }) }),
      customer_name: waiting.shipTo.name,
      line_cancels: toJson(kept),
      fingerprint,
      is_address_confirmed: false,
    };
    await changeOrder(tx, order, choice === "keep" ? none : { ...none, ...used });
    if (choice === "use_new") {
      const changed = { ...order, content: waiting, line_cancels: kept };
      await renewCancellations(ctx, tx, changed);
      // The retailer may want no more than has shipped: then nothing is left that labels could be bought for.
      await settleOrder(ctx, tx, changed);
    }
    await releaseInvoices(ctx, tx, { realmId, orderId: id });
    await ctx.audit(tx, { action: "orders.decide", after: { po_number: order.po_number, choice } });
  });
}
