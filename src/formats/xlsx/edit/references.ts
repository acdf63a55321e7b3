import { columnName, columnOf } from "../cell-names.ts";

/**
 * One corner of a reference. `column` is its letters, behind a dollar sign when it is fixed, and "" in a reference to
 * whole rows ("5:9"); rows count from 1.
 */
type Corner = { column: string; row: number; rowFixed: boolean };

/** `sheet` is undefined when the formula names none; a single cell has one corner, a range two. */
export type Reference = { sheet: string | undefined; corners: readonly Corner[] };

const SHEET = String.raw`(?<sheet>(?:'(?:[^']|'')+'|(?:\[\d+\])?[A-Za-z_\x80-\uffff][\w.\x80-\uffff]*(?::[A-Za-z_\x80-\uffff][\w.\x80-\uffff]*)?)!)?`;
const CELLS = String.raw`(?<cells>\$?[A-Za-z]{1,3}\$?\d{1,7}(?::\$?[A-Za-z]{1,3}\$?\d{1,7})?)`;
const ROWS = String.raw`(?<rows>\$?\d{1,7}:\$?\d{1,7})`;
const TEXT = String.raw`"(?:[^"]|"")*"`;
const BRACKETS = String.raw`\[(?:[^\[\]]|\[[^\[\]]*\])*\](?![\w'])`;
const WORD = String.raw`[\w.$\x80-\uffff]+`;
const TOKEN = new RegExp(
  String.raw`${TEXT}|${BRACKETS}|${SHEET}(?:${CELLS}|${ROWS})(?![\w.(!\[\x80-\uffff])|${WORD}`,
  "g",
);

/**
 * Goes through the references of a formula, entities undone; texts, names, functions and columns of tables are no
 * references. References to whole columns have no rows and are passed over.
 * @param visit gives the reference back changed, or the same object to leave it as it is written
 * @see ECMA-376 part 1, 18.17 (formulas)
 */
export function rewriteReferences(formula: string, visit: (reference: Reference) => Reference): string {
  return formula.replace(TOKEN, (...parts) => {
    const written = parts[0] as string;
    const { sheet, cells, rows } = parts.at(-1) as Record<string, string | undefined>;
    const range = cells ?? rows;
    if (range === undefined) return written;
    const reference = {
      sheet: sheet === undefined ? undefined : sheetName(sheet),
      corners: range.split(":").map(readCorner),
    };
    const changed = visit(reference);
    return changed === reference ? written : (sheet ?? "") + changed.corners.map(showCorner).join(":");
  });
}

/** The reference moved as Excel does when a formula is filled into another cell; undefined when it leaves the sheet. */
export function fillReference(
  reference: Reference,
  by: { rows: number; columns: number },
): Reference | undefined {
  const corners = reference.corners.flatMap((corner) => fillCorner(corner, by) ?? []);
  return corners.length < reference.corners.length ? undefined : { ...reference, corners };
}

function fillCorner(corner: Corner, by: { rows: number; columns: number }): Corner | undefined {
  const row = corner.rowFixed || corner.row === 0 ? corner.row : corner.row + by.rows;
  if (row < 1 || row > 1_048_576) return undefined;
  if (/^(?:\$|$)/.test(corner.column)) return { ...corner, row };
  const column = columnOf(corner.column) + by.columns;
  return column < 0 || column >= 16_384 ? undefined : { ...corner, row, column: columnName(column) };
}

function readCorner(text: string): Corner {
  const [, column = "", sign, row] = /^(\$?[A-Za-z]+)?(\$?)(\d+)$/.exec(text) ?? [];
  return { column, row: Number(row), rowFixed: sign === "$" };
}

const showCorner = ({ column, row, rowFixed }: Corner) => `${column}${rowFixed ? "$" : ""}${row}`;

function sheetName(written: string): string {
  const name = written.slice(0, -1);
  return name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name;
}
