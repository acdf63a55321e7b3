/**
 * Where a spreadsheet would read a formula: at the first character of a cell, and behind what some of them end a cell with.
 * Where lists are separated by semicolons, Excel splits at them and at line breaks also within quotation marks.
 */
const FORMULAS = /^(?=[=+\-@\t\r\n])|(?<=[;\t\r\n])(?=[=+\-@])/g;

/** Byte order mark, so that Excel too opens the file as UTF-8. */
export const CSV_START = "\ufeff";

/** Formats one line of a CSV file (RFC 4180) for users: an apostrophe keeps a spreadsheet from evaluating a text. */
export function csvLine(cells: readonly string[]): string {
  return exactCsvLine(cells.map((text) => text.replace(FORMULAS, "'")));
}

/** Formats one line of a CSV file that only we read: each cell is its text. */
export function exactCsvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

const csvCell = (text: string): string =>
  /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
