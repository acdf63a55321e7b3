/** Columns of the form. They have the template's headers, so that the same rules apply. */
export const HEADERS = [
  "Invoice No",
  "Customer",
  "Invoice Date",
  "Terms",
  "Item",
  "Description",
  "Qty",
  "Rate",
  "Amount",
  "Customer Memo",
] as const;

export const START_ROWS = 10;
export const MAX_ROWS = 500;

/** Row of the file for the grid's first row: the headers are in row 1. */
export const FIRST_ROW = 2;

/** Texts of the cells by row; each row has one for every header. */
export type Grid = readonly (readonly string[])[];
export type Cell = { row: number; column: number };

const emptyRow: readonly string[] = HEADERS.map(() => "");

export function emptyGrid(count: number = START_ROWS): Grid {
  return Array.from({ length: count }, () => emptyRow);
}

export function addRows(grid: Grid, count: number): Grid {
  return [...grid, ...emptyGrid(Math.min(count, MAX_ROWS - grid.length))];
}

export function setCell(grid: Grid, { row, column }: Cell, text: string): Grid {
  return grid.map((cells, at) => (at === row ? cells.with(column, text) : cells));
}

type Correction = { row: number; header: string; was: string; value: string };

/**
 * Puts the corrections of a review into the cells that still have the text they had then.
 * @returns the same grid when there is nothing to change
 */
export function applyCorrections(grid: Grid, corrections: readonly Correction[]): Grid {
  let corrected = grid;
  for (const { row, header, was, value } of corrections) {
    const cell = { row: row - FIRST_ROW, column: HEADERS.findIndex((known) => known === header) };
    const text = corrected[cell.row]?.[cell.column];
    if (text !== undefined && text.trim() === was.trim() && text !== value)
      corrected = setCell(corrected, cell, value);
  }
  return corrected;
}

export function isEmptyRow(cells: readonly string[]): boolean {
  return cells.every((text) => text.trim() === "");
}

export function isEmptyGrid(grid: Grid): boolean {
  return grid.every(isEmptyRow);
}

/**
 * Pastes cells into the grid starting at a cell, adding rows as needed. A leading header row of this form
 * assigns the pasted columns.
 * @returns the new grid, the numbers of pasted rows and of rows that did not fit, and the headers that this
 * form does not have
 */
export function pasteCells(grid: Grid, at: Cell, pasted: readonly (readonly string[])[]) {
  const columns = readHeaders(pasted);
  const lines = columns ? pasted.slice(1) : pasted;
  const fitting = lines.slice(0, MAX_ROWS - at.row);
  const needed = at.row + fitting.length;
  const rows = (needed > grid.length ? addRows(grid, needed - grid.length) : grid).map((cells, row) => {
    const line = fitting[row - at.row];
    if (!line) return cells;
    const next = [...cells];
    line.forEach((text, index) => {
      const column = columns ? (columns[index] ?? -1) : at.column + index;
      if (column >= 0 && column < HEADERS.length) next[column] = text;
    });
    return next;
  });
  const unknown = (pasted[0] ?? []).filter((text, index) => columns?.[index] === -1 && text.trim() !== "");
  return { grid: rows, put: fitting.length, leftOut: lines.length - fitting.length, unknown };
}

/**
 * Maps pasted columns to columns of the form, -1 for an unknown or repeated one. Null if the first row is
 * data: it names fewer than two columns, at least as many other texts, or has no row below it.
 */
function readHeaders([first = [], ...below]: readonly (readonly string[])[]): readonly number[] | null {
  const names: readonly string[] = HEADERS.map((header) => header.toLowerCase());
  const texts = first.map((text) => text.trim().toLowerCase());
  const columns = texts.map((text, index) => (texts.indexOf(text) === index ? names.indexOf(text) : -1));
  const found = columns.filter((column) => column >= 0).length;
  const isHeaderRow = found > 1 && found * 2 > texts.filter((text) => text !== "").length;
  return isHeaderRow && below.length > 0 ? columns : null;
}

/**
 * A cell on the clipboard and its terminator: quoted if it contains a tab, a line break or a quotation mark.
 */
const PASTED_CELL = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/g;

/** Parses cells in a spreadsheet's clipboard format: separated by tabs and line breaks. */
export function readPasted(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [match, quoted, plain = "", end] of text.replace(/\r?\n$/, "").matchAll(PASTED_CELL)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === "" || match === "") break;
    if (end !== "\t") rows.push([]);
  }
  return rows;
}

const [NUMBER, CUSTOMER] = [HEADERS.indexOf("Invoice No"), HEADERS.indexOf("Customer")];

/**
 * Writes the grid as a CSV file with the template's headers. Keeps empty rows, so that row numbers match the
 * grid. A row that follows an empty one and has a customer but no number starts an invoice, marked by a
 * Group.
 */
export function gridToCsv(grid: Grid): string {
  const last = grid.findLastIndex((cells) => !isEmptyRow(cells));
  const rows = grid.slice(0, last + 1);
  const groups = rows.map((_, row) => (beginsAfterGap(rows, row) ? `Row ${row + FIRST_ROW}` : ""));
  const lines = groups.some((group) => group !== "")
    ? [[...HEADERS, "Group"], ...rows.map((cells, row) => [...cells, groups[row] ?? ""])]
    : [HEADERS, ...rows];
  return lines.map((cells) => cells.map(quote).join(",")).join("\r\n");
}

function beginsAfterGap(grid: Grid, row: number): boolean {
  const above = grid[row - 1];
  if (!above || !isEmptyRow(above) || !hasText(grid[row]?.[CUSTOMER]) || hasNumber(grid, row)) return false;
  return grid.slice(0, row).some((cells) => !isEmptyRow(cells));
}

export const hasNumber = (grid: Grid, row: number): boolean => hasText(grid[row]?.[NUMBER]);

const hasText = (text: string | undefined) => text !== undefined && text.trim() !== "";

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
