import type { OrderLine, OrderState } from "#features/orders/types.ts";
import { addDecimals } from "#formats/x12/decimals.ts";

/** Pieces of an order's line; `line` is its number on the order, the quantity decimal text. */
export type Pieces = { line: string; quantity: string };

/** A carton that left. `contents` is null if carton contents were not entered. */
export type ShippedCarton = {
  trackingNumber: string;
  weightLb: number;
  contents: readonly Pieces[] | null;
  isVoided: boolean;
};

/** A part of an order that left at once. `lines` are all its pieces, whichever carton they are in. */
export type ShippedParts = { cartons: readonly ShippedCarton[]; lines: readonly Pieces[] };

/** A line of an order: ordered = shipped + canceled + open, as decimal text. */
export type LineState = {
  line: string;
  ordered: string;
  shipped: string;
  canceled: string;
  open: string;
};

/** Cartons of a shipment that aren't voided. */
export const listLiveCartons = ({ cartons }: Pick<ShippedParts, "cartons">): ShippedCarton[] =>
  cartons.filter(({ isVoided }) => !isVoided);

/** Pieces of a shipment that count: those of voided cartons are open again, where it is known what was in them. */
export function listShipped(shipment: ShippedParts): readonly Pieces[] {
  const live = listLiveCartons(shipment);
  if (live.length === 0) return [];
  if (shipment.cartons.some(({ contents }) => contents === null)) return shipment.lines;
  return live.flatMap(({ contents }) => contents ?? []);
}

/** A shipment as its ship notice describes it: the cartons that aren't voided, and all that counts. */
export const describeShipped = (shipment: ShippedParts) => ({
  cartons: listLiveCartons(shipment).map(({ trackingNumber, weightLb, contents }) => ({
    trackingNumber,
    weightLb,
    contents,
  })),
  lines: mergePieces(listShipped(shipment)),
});

/** The state of each line of an order, in its order. */
export function listLineStates(
  lines: readonly OrderLine[],
  shipments: readonly ShippedParts[],
  cancels: readonly Pieces[],
): LineState[] {
  const shipped = shipments.flatMap(listShipped);
  return lines.map(({ line, quantity }) => {
    const ordered = plain(quantity);
    const shippedPieces = addUp(shipped, line);
    const canceled = addUp(cancels, line);
    const open = addDecimals([ordered, minus(shippedPieces), minus(canceled)]);
    return { line, ordered, shipped: shippedPieces, canceled, open };
  });
}

/** Whether pieces are left to ship. */
export const hasOpen = (lines: readonly LineState[]): boolean => lines.some(isOpen);

/** Lines with pieces left to ship. */
export const listOpen = (lines: readonly LineState[]): Pieces[] =>
  lines.filter(isOpen).map(({ line, open }) => ({ line, quantity: open }));

const isOpen = ({ open }: LineState): boolean => Number(open) > 0;

/** The state that follows from an order's lines while no labels are being made for it. */
export function deriveState(lines: readonly LineState[]): Exclude<OrderState, "labelling"> {
  if (hasOpen(lines)) return "open";
  return lines.some(({ shipped }) => Number(shipped) > 0) ? "labelled" : "cancelled";
}

/** Contents of cartons, or why they can't hold it, in one sentence. */
export type Packed =
  | { contents: readonly (readonly Pieces[] | null)[]; lines: readonly Pieces[] }
  | { problem: string };

/**
 * Packs open pieces of an order into cartons: one carton without contents holds everything that is open; of several, each says
 * what it holds, or none does.
 */
export function packCartons(
  states: readonly LineState[],
  cartons: readonly { contents?: readonly Pieces[] | undefined }[],
): Packed {
  const open = listOpen(states);
  const given = cartons.map(({ contents }) => contents);
  if (given.every((contents) => contents === undefined))
    return { contents: cartons.length === 1 ? [open] : given.map(() => null), lines: open };
  const contents: Pieces[][] = [];
  for (const [at, carton] of given.entries()) {
    const name = `Carton ${at + 1}`;
    if (carton === undefined || carton.length === 0)
      return { problem: `${name} is empty. Enter what is in it, or delete it.` };
    for (const { line, quantity } of carton) {
      const state = states.find((lineState) => lineState.line === line);
      if (!state) return { problem: `${name} holds line ${line}, which the order doesn't have.` };
      if (!(Number(quantity) > 0))
        return { problem: `${name} holds ${quantity} of line ${line}. A quantity is a number above 0.` };
    }
    contents.push(mergePieces(carton));
  }
  const lines: Pieces[] = [];
  for (const { line, open: left } of states) {
    const packed = addUp(contents.flat(), line);
    if (Number(packed) > Number(left))
      return { problem: `The cartons hold ${packed} of line ${line}, but only ${left} are left to ship.` };
    if (Number(packed) > 0) lines.push({ line, quantity: packed });
  }
  return { contents, lines };
}

/** The states of lines once some of their open pieces are shipped. */
export const afterShipping = (states: readonly LineState[], lines: readonly Pieces[]): LineState[] =>
  states.map((state) => {
    const shippedPieces = addUp(lines, state.line);
    return {
      ...state,
      shipped: addDecimals([state.shipped, shippedPieces]),
      open: addDecimals([state.open, minus(shippedPieces)]),
    };
  });

/** Why pieces can't be canceled, in one sentence; null if they can. */
export function findCancelFault(
  states: readonly LineState[],
  cancels: readonly Pieces[],
  smallest: "line" | "rest" | "quantity",
): string | null {
  for (const { line, quantity } of cancels) {
    const state = states.find((lineState) => lineState.line === line);
    if (!state) return `The order has no line ${line}.`;
    const left = addDecimals([state.open, minus(plain(quantity))]);
    if (!(Number(quantity) > 0) || Number(left) < 0)
      return `Line ${line} has ${state.open} left to ship, so ${quantity} can't be canceled.`;
    if (smallest === "rest" && Number(left) > 0)
      return `This retailer accepts a cancellation only of all that is left of a line. Cancel all ${state.open} of line ${line}, or ship some later.`;
    if (smallest === "line" && (Number(left) > 0 || Number(state.shipped) > 0))
      return `This retailer accepts cancellations of whole lines only. Ship what is left of line ${line}.`;
  }
  return null;
}

/** Why other lines can't take the place of an order's, in one sentence: they have less than is shipped. */
export function findLostPieces(states: readonly LineState[], lines: readonly OrderLine[]): string | null {
  for (const { line, shipped } of states) {
    const now = quantityIn(lines, line);
    if (Number(shipped) > Number(now))
      return `Of line ${line}, ${shipped} were shipped, and the new order has ${now}. Void labels first, or keep the order.`;
  }
  return null;
}

const quantityIn = (lines: readonly OrderLine[], line: string): string =>
  plain(lines.find((each) => each.line === line)?.quantity ?? "0");

/**
 * Finds the pieces that stay canceled once other lines take the place of an order's. A retailer that lessens a line confirms what
 * was canceled of it: only what it didn't lessen stays.
 */
export function keepCanceled<Canceled extends Pieces>(
  states: readonly LineState[],
  lines: readonly OrderLine[],
  cancels: readonly Canceled[],
): Canceled[] {
  const confirmed = new Map(
    states.map(({ line, ordered }) => [line, addDecimals([ordered, minus(quantityIn(lines, line))])]),
  );
  return cancels.flatMap((canceled) => {
    const less = confirmed.get(canceled.line) ?? "0";
    if (!(Number(less) > 0)) return canceled;
    const quantity = addDecimals([plain(canceled.quantity), minus(less)]);
    if (Number(quantity) > 0) {
      confirmed.set(canceled.line, "0");
      return { ...canceled, quantity };
    }
    confirmed.set(canceled.line, addDecimals([less, minus(plain(canceled.quantity))]));
    return [];
  });
}

/** Pieces with each line once. */
export const mergePieces = (pieces: readonly Pieces[]): Pieces[] =>
  [...new Set(pieces.map(({ line }) => line))].map((line) => ({ line, quantity: addUp(pieces, line) }));

/** "2 of line 1, 4 of line 3" */
export const listText = (pieces: readonly Pieces[]): string =>
  pieces.map(({ line, quantity }) => `${quantity} of line ${line}`).join(", ");

const addUp = (pieces: readonly Pieces[], line: string): string =>
  addDecimals(pieces.flatMap((piece) => (piece.line === line ? [plain(piece.quantity)] : [])));

const minus = (value: string): string => `-${value}`;

/** Decimal text as `addDecimals` takes it. */
const plain = (value: string): string =>
  /^\d+(\.\d+)?$/.test(value) ? value : String(Number(Number(value).toFixed(6)));
