/**
 * Rows of a workbook whose sheets are read together: each is numbered as its own sheet counts, behind as many sheets full
 * of rows as the workbook has before it. A row keeps its number whichever sheets are read, and rows of a first sheet have
 * the numbers that spreadsheets show.
 */
const SHEET_ROWS = 1_048_576;

/** Names of the sheets that were read together, by their places in the workbook; empty where only one was read. */
export type SheetNames = readonly string[];

/** @param sheet place of the sheet in its workbook, from 0 */
export const numberRow = (sheet: number, row: number): number => sheet * SHEET_ROWS + row;

/** The place of a row's sheet in its workbook. */
export const sheetIndex = (row: number): number => Math.max(0, Math.floor((row - 1) / SHEET_ROWS));

/** The row as its own sheet counts. */
export const ownRow = (row: number): number => row - sheetIndex(row) * SHEET_ROWS;

/** "March!", or nothing where only one sheet was read. */
export const sheetPrefix = (row: number, sheets: SheetNames): string => {
  const name = sheets[sheetIndex(row)];
  return name ? `${name}!` : "";
};

/** A row as users find it: "7", or "March!7" where several sheets were read. */
export const rowText = (row: number, sheets: SheetNames = []): string =>
  `${sheetPrefix(row, sheets)}${ownRow(row)}`;
