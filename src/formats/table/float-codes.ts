import type { CellValue } from "../xlsx/workbook.ts";
import type { Column } from "./column.ts";
import type { SheetKind } from "./define-sheet.ts";
import { isPlaceholder } from "./placeholders.ts";

/** Restores a code that a program wrote as a decimal number: "50011.0" is 50011. */
export const withoutZero = (text: string): string => text.replace(/^(\s*\d+)\.0(\s*)$/, "$1$2");

/**
 * Finds columns of codes in which every value is written like "50011.0", because a program stored them as
 * numbers. A single other code in a column leaves all unchanged.
 */
export function findFloatCodes<F extends string>(table: {
  kind: SheetKind<F>;
  columns: readonly Column<F>[];
  rows: readonly { number: number; cells: readonly (CellValue | undefined)[] }[];
}): (Column<F> & { row: number; text: string })[] {
  return table.columns.flatMap((column) => {
    if (table.kind.fields[column.field].type !== "code") return [];
    let first: { row: number; text: string } | undefined;
    for (const { number, cells } of table.rows) {
      const cell = cells[column.index];
      if (cell === undefined) continue;
      if (typeof cell !== "string") return [];
      const text = cell.trim();
      if (text === "" || isPlaceholder(text)) continue;
      if (!/^\d+\.0$/.test(text)) return [];
      first ??= { row: number, text };
    }
    return first ? [{ ...column, ...first }] : [];
  });
}
