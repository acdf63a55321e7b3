import type { OpenOrder } from "#features/shipping/contract.ts";
import type { LocalOrder } from "#features/shipping/web/carrier/order-store.ts";

/** A listed order; those that are no longer open stay where they were until the tab is left. */
export type ListedOrder = { order: OpenOrder; status: "open" | "made" | "cancelled" | "handled_elsewhere" };
type ReadLocal = (orderId: string) => LocalOrder;

/** Reads what a listed order shows: the state of its labels, or of the call that makes them. */
export function readState({ order, status }: ListedOrder, local: LocalOrder) {
  if (status === "made" || local.made) return "made";
  if (local.isPending) return "making";
  const { labels } = order;
  // If an order has pieces left, the labels that were made are no longer in the list.
  if (labels === null && local.started !== undefined) return "made";
  if (labels && labels.id !== local.startedOver) return labels.state;
  return local.failure === undefined ? "ready" : "failed";
}
export type OrderState = ReturnType<typeof readState>;

type Listed = {
  open: readonly OpenOrder[];
  cancelled: readonly { id: string }[];
  local: ReadLocal;
};

/**
 * Puts the server's list in place of the shown one. An order whose labels were made during the visit stays where
 * it was, as does one that was canceled here, and one with typed cartons that was handled elsewhere.
 */
export function keepShown(before: readonly ListedOrder[], { open, cancelled, local }: Listed): ListedOrder[] {
  const shownBefore = new Set(before.map(({ order }) => order.id));
  const next: ListedOrder[] = open
    .filter(
      ({ id, labels, cancellation_asked_at: asked }) =>
        labels?.state !== "made" || asked !== null || shownBefore.has(id),
    )
    .map((order) => ({
      order,
      status: order.labels?.state === "made" ? madeBy(local(order.id)) : "open",
    }));
  const listed = new Set(next.map(({ order }) => order.id));
  const isCanceled = new Set(cancelled.map(({ id }) => id));
  for (const [at, { order, status }] of before.entries()) {
    if (listed.has(order.id)) continue;
    const stays = findReason({ order, status, local: local(order.id), isCanceled: isCanceled.has(order.id) });
    if (!stays) continue;
    const previous = before.slice(0, at).findLast((each) => listed.has(each.order.id));
    const place = next.findIndex((each) => each.order.id === previous?.order.id) + 1;
    next.splice(place, 0, { order, status: stays });
    listed.add(order.id);
  }
  return next;
}

/** Whether this page asked for the labels of an order. The order left the list while its purchase was unresolved. */
const isOwn = ({ made, started, key }: LocalOrder) => (made ?? started ?? key) !== undefined;

/** Keeps typed cartons visible when another user made the labels. */
const madeBy = (local: LocalOrder) => (local.cartons && !isOwn(local) ? "handled_elsewhere" : "made");

type Leaving = ListedOrder & { local: LocalOrder; isCanceled: boolean };

/** Why an order stays that the server no longer lists; null if it goes. */
function findReason({ order, status, local, isCanceled }: Leaving): ListedOrder["status"] | null {
  if (local.isCanceled) return "cancelled";
  if (isCanceled) return null;
  if (status === "made" || isOwn(local)) return "made";
  if (status === "handled_elsewhere" || local.cartons) return "handled_elsewhere";
  if (isUnderWay(order)) return "made";
  return local.isSelected ? "handled_elsewhere" : null;
}

const isUnderWay = ({ labels }: OpenOrder) => labels?.state === "making" || labels?.state === "checking";

/** True if an order is due. @param today YYYY-MM-DD, the company's day */
export function shipByState(shipBy: string | null, today: string): "late" | "today" | "later" | null {
  if (shipBy === null) return null;
  if (shipBy === today) return "today";
  return shipBy < today ? "late" : "later";
}

export type OrderFilter = "open" | "today" | "attention";
type Context = { today: string; local: ReadLocal };

/** Orders that a filter and a search show, in the list's order. */
export function filterOrders(
  orders: readonly ListedOrder[],
  { show, search, ...context }: Context & { show: OrderFilter; search: string },
): ListedOrder[] {
  const searchFor = search.trim().toLowerCase();
  return orders.filter(
    (each) =>
      (show === "open" || belongsTo(show, each, context)) &&
      (searchFor === "" ||
        [
          each.order.po_number,
          each.order.customer_name,
          each.order.place,
          ...each.order.lines.map(({ sku }) => sku),
        ].some((text) => text.toLowerCase().includes(searchFor))),
  );
}

/**
 * Orders that a scanned text names: those of this PO number, else those of this SKU whose labels aren't made yet, else the only
 * one that a search for it shows.
 */
export function matchScan(
  orders: readonly ListedOrder[],
  text: string,
  local: ReadLocal,
): readonly ListedOrder[] {
  const scanned = text.trim().toLowerCase();
  const byPo = orders.filter(({ order }) => order.po_number.toLowerCase() === scanned);
  if (byPo.length > 0) return byPo;
  const bySku = orders.filter(
    (each) =>
      canGenerate(each, local(each.order.id)) &&
      each.order.lines.some(({ sku }) => sku.toLowerCase() === scanned),
  );
  if (bySku.length > 0) return bySku;
  const found = filterOrders(orders, { show: "open", search: text, today: "", local });
  return found.length === 1 ? found : [];
}

/** The list with some orders before all others. @param isFirst which */
export const putFirst = (
  orders: readonly ListedOrder[],
  isFirst: (order: OpenOrder) => boolean,
): readonly ListedOrder[] => [
  ...orders.filter(({ order }) => isFirst(order)),
  ...orders.filter(({ order }) => !isFirst(order)),
];

/** How many orders each filter counts; finished ones are listed, but no longer counted. */
export function countOrders(orders: readonly ListedOrder[], context: Context): Record<OrderFilter, number> {
  const count = (filter: OrderFilter) =>
    orders.filter((each) => isOpen(each, context) && belongsTo(filter, each, context)).length;
  return { open: count("open"), today: count("today"), attention: count("attention") };
}

const isOpen = (each: ListedOrder, { local }: Context) =>
  each.status === "open" && readState(each, local(each.order.id)) !== "made";

function belongsTo(filter: OrderFilter, each: ListedOrder, { today, local }: Context): boolean {
  const { order, status } = each;
  if (filter === "open") return true;
  if (filter === "today") return order.ship_by !== null && order.ship_by <= today;
  if (order.waiting !== null || order.cancellation_asked_at !== null || status === "handled_elsewhere")
    return true;
  return ["failed", "checking", "asked"].includes(readState(each, local(order.id)));
}

/** Whether labels can be made of an order now. */
export const canGenerate = (each: ListedOrder, local: LocalOrder): boolean =>
  each.status === "open" &&
  each.order.waiting === null &&
  each.order.cancellation_asked_at === null &&
  readState(each, local) === "ready";
