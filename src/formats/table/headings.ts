import type { Sheet, SheetRow } from "../xlsx/workbook.ts";
import { NUMBER_TYPES, type SheetKind } from "./define-sheet.ts";
import { headerText, isBlank } from "./header-text.ts";
import { isFooter } from "./footers.ts";
import { findHeaders, type ColumnChoices, type Headers } from "./headers.ts";

/** Minimum number of known columns for recognizing such a report. */
const MIN_COLUMNS = 3;

/**
 * Copies headings down: a report by customer has each customer alone above its rows, in a column without a
 * header. Such a sheet is read as if every row named its customer; all others are unchanged.
 */
export function lowerHeadings(kind: SheetKind, sheet: Sheet, chosen?: ColumnChoices): Sheet {
  const field = kind.headedBy;
  const headers = field === undefined ? undefined : findHeaders(kind, sheet, chosen);
  if (!field || !headers || headers.columns.length < MIN_COLUMNS) return sheet;
  if (headers.columns.some((column) => column.field === field)) return sheet;
  const column = findColumn(sheet, headers);
  if (column === undefined) return sheet;
  const header = kind.fields[field]?.header ?? field;
  const texts = headers.columns.filter((each) => !NUMBER_TYPES.has(kind.fields[each.field]?.type));
  /** Without one, the row may be a total. */
  const hasText = ({ cells }: SheetRow) => texts.some(({ index }) => !isBlank(cells[index]));
  let heading: SheetRow["cells"][number];
  const rows = sheet.rows.map((row): SheetRow => {
    if (row.number === headers.row) return withCell(row, column, header);
    if (row.number < headers.row || isTotal(row, column)) return row;
    if (!isHeading(row, column)) return hasText(row) ? withCell(row, column, heading) : row;
    heading = row.cells[column];
    return withCell(row, column, undefined);
  });
  return { ...sheet, rows };
}

/**
 * Finds the column to the left of the known ones that contains headings and totals but is blank in data rows.
 */
function findColumn({ rows }: Sheet, headers: Headers): number | undefined {
  const first = Math.min(...headers.columns.map(({ index }) => index));
  const cells = rows.find(({ number }) => number === headers.row)?.cells ?? [];
  const below = rows.filter(({ number }) => number > headers.row);
  return Array.from({ length: first }, (_, index) => index).find((index) => {
    if (!isBlank(cells[index])) return false;
    const filled = below.filter((row) => !isBlank(row.cells[index]));
    return (
      filled.some((row) => isHeading(row, index)) &&
      filled.every((row) => isHeading(row, index) || isTotal(row, index))
    );
  });
}

const isHeading = (row: SheetRow, column: number) =>
  !isBlank(row.cells[column]) &&
  row.cells.every((cell, index) => index === column || isBlank(cell)) &&
  !isFooter(row);

const isTotal = (row: SheetRow, column: number) =>
  /^totals?\b|\btotals?\s*:?$/i.test(headerText(row.cells[column])) || isFooter(row);

/** Puts a value into a row, also right of its last cell. */
export function withCell(row: SheetRow, column: number, cell: SheetRow["cells"][number]): SheetRow {
  const cells = [...row.cells];
  cells[column] = cell;
  return { ...row, cells: Array.from(cells) };
}

/** The column of the file that a column is, or was formed of. */
export const ownColumn = ({ formedOf }: Pick<Sheet, "formedOf">, index: number): number =>
  formedOf?.get(index) ?? index;
