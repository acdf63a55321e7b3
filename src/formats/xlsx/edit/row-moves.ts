import { fillReference, rewriteReferences, type Reference } from "./references.ts";

/** Taking rows out of a sheet would change what something else in the workbook means. */
export class CannotMove extends Error {
  constructor(what: string) {
    super(`Rows cannot be moved: ${what}.`);
    this.name = "CannotMove";
  }
}

/** Where the rows of a sheet go when some are taken out. `sheet` is the sheet's name as parts have it, one character a byte. */
export type RowMoves = {
  sheet: string;
  firstRemoved: number;
  /** Removed rows up to and including this one. */
  removedUpTo: (row: number) => number;
  isRemoved: (row: number) => boolean;
};

const LAST_ROW = 1_048_576;

export function moveRows(sheet: string, removed: readonly number[]): RowMoves {
  const inOrder = removed.toSorted((a, b) => a - b);
  const known = new Set(inOrder);
  return {
    sheet,
    firstRemoved: inOrder[0] ?? LAST_ROW + 1,
    removedUpTo: (row) => countUpTo(inOrder, row),
    isRemoved: (row) => known.has(row),
  };
}

/** The number of a row that stays. */
export const newRow = (moves: RowMoves, row: number): number => row - moves.removedUpTo(row);

/** A formula after the rows are gone, as Excel writes it when they are deleted. */
export function moveFormula(moves: RowMoves, formula: string): string {
  return rewriteReferences(formula, (reference) =>
    isOwn(moves, reference) ? moveReference(moves, reference) : reference,
  );
}

/**
 * A formula of a rule over a range (a format, a validation). Its references are relative to the first cell of the
 * range, so they go with that cell.
 */
export function moveRuleFormula(moves: RowMoves, formula: string, by: number): string {
  return rewriteReferences(formula, (reference) => {
    if (!isOwn(moves, reference)) return reference;
    const { corners } = reference;
    if (corners.every(({ rowFixed }) => rowFixed)) return moveReference(moves, reference);
    if (corners.some(({ rowFixed }) => rowFixed))
      throw new CannotMove("a rule mixes fixed and relative rows");
    const filled = by === 0 ? reference : fillReference(reference, { rows: by, columns: 0 });
    if (!filled) throw new CannotMove("a rule leaves the sheet");
    return filled;
  });
}

/** "B2:B40 D5" after the rows are gone, and by how many rows its first cell has moved. */
export function moveRanges(moves: RowMoves, ranges: string): { ranges: string; by: number } {
  let before = LAST_ROW;
  let after = LAST_ROW;
  const moved = ranges
    .trim()
    .split(/\s+/)
    .map((range) =>
      rewriteReferences(range, (reference) => {
        const changed = moveReference(moves, reference);
        before = Math.min(before, ...rowsOf(reference));
        after = Math.min(after, ...rowsOf(changed));
        return changed;
      }),
    );
  return { ranges: moved.join(" "), by: after - before };
}

function isOwn({ sheet }: RowMoves, reference: Reference): boolean {
  return reference.sheet === undefined || reference.sheet.toLowerCase() === sheet.toLowerCase();
}

const rowsOf = ({ corners }: Reference) => corners.map(({ row }) => row);

function moveReference(moves: RowMoves, reference: Reference): Reference {
  const [top, bottom] = [Math.min(...rowsOf(reference)), Math.max(...rowsOf(reference))];
  if (bottom < moves.firstRemoved) return reference;
  const isOpen = reference.corners.length > 1 && bottom === LAST_ROW;
  const newTop = top - moves.removedUpTo(top - 1);
  const newBottom = isOpen ? LAST_ROW : newRow(moves, bottom);
  if (newBottom < newTop) throw new CannotMove("all that a formula refers to is taken out");
  const corners = reference.corners.map((corner, index) => ({
    ...corner,
    row: index === 0 ? newTop : newBottom,
  }));
  return { ...reference, corners };
}

function countUpTo(inOrder: readonly number[], row: number): number {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((inOrder[middle] as number) <= row) low = middle + 1;
    else high = middle;
  }
  return low;
}
