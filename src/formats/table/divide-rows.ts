import type { Sheet, SheetRow } from "../xlsx/workbook.ts";
import { holdsData } from "./candidates.ts";
import type { SheetKind } from "./define-sheet.ts";
import { isFooter } from "./footers.ts";
import { headerText, isBlank } from "./header-text.ts";
import type { Headers } from "./headers.ts";
import { findTotals } from "./total-rows.ts";

/** Divides the rows below the headers by what they are; `rows` are those to be read. */
export function divideRows(kind: SheetKind, sheet: Sheet, headers: Headers) {
  const below = sheet.rows.filter((row) => row.number > headers.row);
  const filled = below.filter((row) => holdsData(row, headers));
  const repeats = filled.filter((row) => isHeaderAgain(row, headers));
  const footers = filled.filter(isFooter);
  const passed = new Set([...repeats, ...footers]);
  // Most sheets have none of them, and thousands of rows.
  const without = (rows: SheetRow[]) => (passed.size === 0 ? rows : rows.filter((row) => !passed.has(row)));
  const totals = findTotals(kind, without(filled), { ...headers, merges: sheet.merges });
  for (const { row } of totals) passed.add(row);
  const data = without(filled);
  const samples = data.filter((row) => isSample(kind, row, headers));
  const rows = samples.length === 0 ? data : data.filter((row) => !samples.includes(row));
  return { samples, repeats, footers, totals, data, rows };
}

/** Whether a row is a sample that was left in the template. */
function isSample({ samples }: SheetKind, { cells }: SheetRow, { columns }: Headers): boolean {
  const column = samples && columns.find(({ field }) => field === samples.field);
  return column !== undefined && cells[column.index] === samples?.value;
}

/** Some programs print the headers again on every page. */
function isHeaderAgain({ cells }: SheetRow, { columns }: Headers): boolean {
  let filled = 0;
  for (const { index, header } of columns) {
    if (isBlank(cells[index])) continue;
    if (headerText(cells[index]) !== header) return false;
    filled += 1;
  }
  return filled > 1;
}
