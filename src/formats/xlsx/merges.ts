import type { Sheet, SheetRow } from "./workbook.ts";

/** Rows starting at 1 and columns starting at 0, both ends included. */
export type Range = { top: number; bottom: number; left: number; right: number };

const REFERENCE = /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/;

/** Reads a range such as "A1:B2"; undefined for a text that is none. */
export function parseRange(reference: string): Range | undefined {
  const [, left, top, right, bottom] = REFERENCE.exec(reference) ?? [];
  if (!left || !top || !right || !bottom) return undefined;
  return { top: Number(top), bottom: Number(bottom), left: columnAt(left), right: columnAt(right) };
}

const columnAt = (name: string): number =>
  [...name].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/**
 * Empties the cells of a merged range but its first: Excel doesn't show what pasted formats and other programs keep there.
 * @returns how many rows and cells were visited
 */
export function emptyCovered({ rows }: Pick<Sheet, "rows">, { top, bottom, left, right }: Range): number {
  let visited = 0;
  for (let at = findRow(rows, top); at < rows.length; at += 1) {
    const row = rows[at];
    if (!row || row.number > bottom) break;
    visited += 1;
    const last = Math.min(right, row.cells.length - 1);
    for (let column = row.number === top ? left + 1 : left; column <= last; column += 1) {
      row.cells[column] = undefined;
      visited += 1;
    }
  }
  return visited;
}

/** The place of the first row at or below a number. */
function findRow(rows: readonly SheetRow[], number: number): number {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((rows[middle]?.number ?? 0) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}
