import { sumPieces, type Draft, type Excess } from "#features/order-invoices/rules-draft.ts";
import type { Part } from "#features/order-invoices/shipments.ts";
import type { Pieces, StoredNotice, StoredOrder } from "#features/orders/index.ts";
import { decimalToFixed, FIXED_DECIMALS, formatQty } from "#formats/table/amounts.ts";

/** Pieces that an invoice bills; `inBooks` are those to which a user may have corrected it since. */
type Billing = { billed: readonly Pieces[]; inBooks?: readonly Pieces[] | undefined };

/**
 * Finds the pieces that an invoice bills though their labels were voided since. One for all of an order has none while these may
 * be shipped again.
 * @param parts shipments of its order that still have labels
 * @returns null if there are none
 */
export function findExcess(
  { shipment_id: id, billed, inBooks }: Billing & { shipment_id: string | null },
  parts: readonly Part[],
  order: Pick<StoredOrder, "state">,
): Excess | null {
  if (id === null && order.state !== "labelled" && order.state !== "cancelled") return null;
  const shipped = parts
    .filter(({ shipmentId }) => id === null || shipmentId === id)
    .flatMap(({ lines }) => lines);
  // Which line of the order each of other lines bills isn't sure.
  if (inBooks && isEqual(inBooks, shipped)) return null;
  const lines = billed.flatMap(({ line, quantity }) => {
    const excess = (decimalToFixed(quantity, FIXED_DECIMALS) ?? 0n) - sumPieces(shipped, line);
    return excess > 0n ? [{ line, quantity: formatQty(excess) }] : [];
  });
  const isWhole = billed.every(({ line }) => sumPieces(shipped, line) === 0n);
  return lines.length > 0 ? { lines, isWhole } : null;
}

/**
 * Lists pieces that an invoice bills: its draft's, or those of its last document that has left. One that has not says how the invoice is in
 * the books.
 * @param documents those of the invoice for the retailer, the first one first
 */
export function listBilled(draft: Draft, documents: readonly StoredNotice[]): Billing {
  const listLines = (document: StoredNotice | undefined) =>
    document && "invoice" in document.facts ? document.facts.invoice.lines : undefined;
  const left = documents.findLast(({ tried_at: tried }) => tried !== null);
  const last = documents.at(-1);
  return { billed: listLines(left) ?? draft.lines, inBooks: last === left ? undefined : listLines(last) };
}

const isEqual = (some: readonly Pieces[], others: readonly Pieces[]): boolean =>
  [...some, ...others].every(({ line }) => sumPieces(some, line) === sumPieces(others, line));
