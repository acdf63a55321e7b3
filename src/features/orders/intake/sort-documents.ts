import { joinList } from "#formats/text/phrases.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import type { ReadOrders } from "#features/orders/intake/read-orders.ts";
import { findPartner } from "#features/orders/partners/partners.ts";
import { compareChanges, findShipToNumber, nameOrder } from "#features/orders/rules.ts";
import type { StoredOrder } from "#features/orders/store.ts";
import type { ChangeNumber, NoticeAnswer, OrderDocument, RetailerMessage } from "#features/orders/types.ts";

/**
 * Sorts the documents of a file: it may have the changes of an order before the order, or before older ones. An order that takes the
 * place of one that is here stays behind what the file has before it: a cancellation of the other one isn't about it.
 * @param stored orders that are here, by retailer and name
 */
export function sortDocuments(
  ctx: OrdersCtx,
  documents: ReadOrders["documents"],
  stored: ReadonlyMap<string, StoredOrder>,
) {
  const known = new Set(stored.keys());
  /** Where the last order stands that takes the place of one, by retailer and PO number. */
  const replaced = new Map<string, number>();
  return [...documents.entries()]
    .map(([at, { partner, document, trading }]) => {
      const po = key(partner, document.poNumber);
      const place = document.kind === "order" ? findPlace(ctx, partner, document) : null;
      const isFirst = place !== null && !known.has(place);
      if (place !== null) known.add(place);
      if (place !== null && !isFirst) replaced.set(po, at);
      return { at, partner, document, trading, after: isFirst ? -1 : (replaced.get(po) ?? -1) };
    })
    .toSorted((a, b) => a.after - b.after || compareChanges(findChange(a.document), findChange(b.document)));
}

/** Identifies an order of a retailer by its number, or by its name. */
export const key = (partner: string, name: string) => `${partner}\n${name}`;

function findPlace(ctx: OrdersCtx, partner: string, document: OfOrder): string | null {
  const store = findOrderStore(ctx, partner, { document, stores: new Set() });
  return typeof store === "string" ? key(partner, nameOrder({ po_number: document.poNumber, store })) : null;
}

const findChange = (document: OrderDocument): ChangeNumber | undefined =>
  "change" in document ? document.change : undefined;

/** A document that adds or changes an order. */
export type OfOrder = Exclude<OrderDocument, NoticeAnswer | RetailerMessage>;

/** Stores that a refusal names; an order may be for hundreds. */
const MAX_NAMED = 10;

/** The store that a document's order is for; empty for a retailer that tells its orders apart by their numbers alone. */
export function findOrderStore(
  { partners }: OrdersCtx,
  partner: string,
  { document, stores }: { document: OfOrder; stores: ReadonlySet<string> },
): string | { problem: string } {
  if (document.kind === "refused" || findPartner(partners, partner)?.ordersBy !== "store") return "";
  const { poNumber } = document;
  if (document.kind === "order") {
    const { billing, references } = document.order;
    const store = findShipToNumber({ parties: billing?.parties, references });
    const missing = `PO # ${poNumber} doesn't say which store it's for: the number of its ship-to (N104 of N1*ST) is missing. Ask the retailer for it.`;
    return store === "" ? { problem: missing } : store;
  }
  if (document.store !== "") return document.store;
  const names = [...stores].toSorted();
  if (names.length < 2) return names[0] ?? "";
  const more = names.length - MAX_NAMED;
  const named = joinList(more > 0 ? [...names.slice(0, MAX_NAMED), `${more} more`] : names);
  return {
    problem: `Stores ${named} each have an order with PO # ${poNumber}, and this change doesn't say which one it means. Ask the retailer.`,
  };
}
