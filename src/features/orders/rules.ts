import { createHash } from "node:crypto";
import type { ChangedLine, Order, OrderLine, OrderState, ShipTo } from "#features/orders/types.ts";

/** Longest PO number that UPS takes as a reference. */
const MAX_PO = 35;

/** Problems for which an order is refused as a whole; none for a good one. */
export function checkOrder({ poNumber, shipTo, lines }: Order): string[] {
  const problems: string[] = [];
  if (poNumber === "") problems.push("The PO number is missing.");
  if (poNumber.length > MAX_PO)
    problems.push(`The PO number “${poNumber}” has more than ${MAX_PO} characters, which UPS doesn't take.`);
  if (shipTo.name === "") problems.push("The ship-to name is missing.");
  if (shipTo.lines.length === 0) problems.push("The ship-to address has no street.");
  if (shipTo.city === "") problems.push("The ship-to city is missing.");
  if (shipTo.country === "US" && !/^\d{5}(-?\d{4})?$/.test(shipTo.zip))
    problems.push(`The ship-to ZIP code is “${shipTo.zip}”. A ZIP code has 5 or 9 digits.`);
  if (lines.length === 0) problems.push("The order has no lines.");
  for (const { line, quantity } of lines)
    if (!(Number(quantity) > 0))
      problems.push(`The quantity of line ${line} is “${quantity}”. A quantity is a number above 0.`);
  const twice = lines.find(({ line }, at) => lines.findIndex((other) => other.line === line) !== at);
  if (twice) problems.push(`Line ${twice.line} is there twice.`);
  return problems;
}

/** Equal for equal orders. */
export const fingerprintOrder = (order: Order): string =>
  createHash("sha256")
    .update(JSON.stringify(order, Object.keys(flat(order)).toSorted()))
    .digest("hex");

/** Every name inside an order: JSON writes only the listed ones, in their order. */
function flat(value: unknown, names: Record<string, true> = {}): Record<string, true> {
  if (Array.isArray(value)) for (const each of value) flat(each, names);
  else if (value !== null && typeof value === "object")
    for (const [name, each] of Object.entries(value)) {
      names[name] = true;
      flat(each, names);
    }
  return names;
}

/** An order after its retailer's change. @throws nothing: a change of an unknown line adds it */
export function applyChange(order: Order, changes: readonly ChangedLine[]): Order {
  const lines = new Map(order.lines.map((line) => [line.line, line]));
  for (const { change, ...line } of changes) {
    const was = lines.get(line.line);
    if (change === "DI") lines.delete(line.line);
    else if (was && (change === "QD" || change === "QI"))
      lines.set(line.line, { ...was, quantity: line.quantity });
    else lines.set(line.line, was ? merge(was, line) : line);
  }
  return { ...order, lines: [...lines.values()] };
}

/** Texts that a change leaves out stay. */
const merge = (was: OrderLine, line: OrderLine): OrderLine => {
  const given = Object.entries(line).filter(([, value]) => value !== "");
  return { ...was, ...(Object.fromEntries(given) as Partial<OrderLine>) };
};

/** "Portland, OR 97209" */
export const placeText = ({ city, state, zip }: ShipTo): string =>
  [city, `${state} ${zip}`.trim()].filter(Boolean).join(", ");

/**
 * Name of a file of an order for users, unique within a company: other characters of a PO number than letters and digits
 * become hyphens, and the order's id tells such names apart.
 */
export function fileName(poNumber: string, id: string, what: string): string {
  const plain = poNumber.replaceAll(/[^A-Za-z0-9_-]+/g, "-");
  return plain === poNumber ? `${plain}-${what}` : `${plain}-${id.slice(0, 8)}-${what}`;
}

/** Moves that are allowed; every change of a state goes through them. */
const MOVES: Readonly<Record<OrderState, readonly OrderState[]>> = {
  open: ["labelling", "cancelled"],
  labelling: ["labelled", "open"],
  labelled: ["open"],
  cancelled: ["open"],
};

export const canMove = (from: OrderState, to: OrderState): boolean => MOVES[from].includes(to);
