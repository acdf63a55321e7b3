import type { Carton, CartonSize, OpenOrder, Pieces } from "#features/shipping/contract.ts";

/** Typed quantities by the number of the line, one text for each carton; empty for none. */
export type Packed = Readonly<Record<string, readonly string[]>>;

/** Packing of an order's next shipment, as typed. */
export type Packing = {
  /** Its number among the order's shipments. */
  part?: number;
  /** Undefined for the proposal. */
  packed?: Packed;
  /** Lines whose unpacked pieces are canceled. */
  cancelsRest?: readonly string[];
};

/** The packing as typed; nothing once the shipment that it is of was made. */
export const typedPacking = (
  { next_shipment: part }: Pick<OpenOrder, "next_shipment">,
  packing: Packing | undefined,
): Packing => (packing?.part === part ? packing : {});

type Lines = Pick<OpenOrder, "lines">;

/** Lines with pieces left to ship. */
export const listOpenLines = ({ lines }: Lines): OpenOrder["lines"] =>
  lines.filter(({ open }) => Number(open) > 0);

/**
 * An even spread of what is left: whole pieces, each line's that are over from the carton on where the previous line's ended, so
 * that no carton stays empty while there are pieces for it. A broken quantity stays in one carton.
 */
export function proposePacking(order: Lines, cartons: number): Packed {
  let next = 0;
  return Object.fromEntries(
    listOpenLines(order).map(({ line, open }) => {
      const pieces = Number(open);
      const [share, over, unit] = Number.isInteger(pieces)
        ? [Math.floor(pieces / cartons), pieces % cartons, 1]
        : [0, 1, pieces];
      const first = next;
      next = (first + over) % cartons;
      const counts = Array.from(
        { length: cartons },
        (_, at) => share + ((at - first + cartons) % cartons < over ? unit : 0),
      );
      return [line, counts.map((count) => (count === 0 ? "" : String(count)))];
    }),
  );
}

/** Quantities as typed, for as many cartons as there are now; the proposal before anything was typed. */
export function readPacking(order: Lines, packed: Packed | undefined, cartons: number): Packed {
  const proposed = proposePacking(order, cartons);
  if (!packed) return proposed;
  return Object.fromEntries(
    Object.keys(proposed).map((line) => [
      line,
      Array.from({ length: cartons }, (_, at) => packed[line]?.[at] ?? ""),
    ]),
  );
}

export type PackingFault = "number" | "too_many" | "empty";

/** Why a line, or a carton, can't be packed so; `at` is the carton's place. */
export type FoundFault = { line: string | null; at: number; fault: PackingFault };

const toNumber = (text: string): number => (text.trim() === "" ? 0 : Number(text.trim()));

/** To six decimals, so that 0.1 and 0.2 are 0.3. */
const round = (pieces: number): number => Math.round(pieces * 1e6) / 1e6;

/** Sum of a line in all cartons. */
export const countPacked = (texts: readonly string[]): number =>
  round(texts.reduce((sum, text) => sum + toNumber(text), 0));

/** Pieces of a line that some quantities leave open. */
export const countLeft = (open: string, texts: readonly string[]): number =>
  round(Number(open) - countPacked(texts));

/** The first thing that is wrong; null if all is right. */
export function findPackingFault(order: Lines, packing: Packed, cartons: number): FoundFault | null {
  for (const { line, open } of listOpenLines(order)) {
    const texts = packing[line] ?? [];
    const wrong = texts.findIndex((text) => text.trim() !== "" && !/^\d+(\.\d{1,6})?$/.test(text.trim()));
    if (wrong !== -1) return { line, at: wrong, fault: "number" };
    if (countLeft(open, texts) < 0)
      return { line, at: texts.findLastIndex((text) => toNumber(text) > 0), fault: "too_many" };
  }
  for (let at = 0; at < cartons; at += 1)
    if (Object.values(packing).every((texts) => toNumber(texts[at] ?? "") === 0))
      return { line: null, at, fault: "empty" };
  return null;
}

/** Cartons with what they hold, and pieces to cancel, as they are sent; null while something is wrong. */
export function packCartons(
  order: Lines & Pick<OpenOrder, "next_shipment">,
  typed: Packing | undefined,
  sizes: readonly CartonSize[],
): { cartons: Carton[]; cancels: Pieces[] } | null {
  const { packed, cancelsRest = [] } = typedPacking(order, typed);
  const packing = readPacking(order, packed, sizes.length);
  if (findPackingFault(order, packing, sizes.length)) return null;
  const cartons = sizes.map((carton, at) => ({
    ...carton,
    contents: listOpenLines(order).flatMap(({ line }) => {
      const count = toNumber(packing[line]?.[at] ?? "");
      return count > 0 ? [{ line, quantity: String(count) }] : [];
    }),
  }));
  return { cartons, cancels: listLeftBehind(order, cartons, cancelsRest) };
}

/** Pieces of some lines that cartons leave behind, to be canceled. */
function listLeftBehind(order: Lines, cartons: readonly Carton[], lines: readonly string[]): Pieces[] {
  const packed = cartons.flatMap(({ contents = [] }) => contents);
  return listOpenLines(order).flatMap(({ line, open }) => {
    const own = packed.flatMap((piece) => (piece.line === line ? [piece.quantity] : []));
    const left = countLeft(open, own);
    return left > 0 && lines.includes(line) ? [{ line, quantity: String(left) }] : [];
  });
}
