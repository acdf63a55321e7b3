/** First characters that make a spreadsheet read a cell as a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** Opens a file as UTF-8 in Excel, too. */
export const CSV_START = "\ufeff";

/** One line of a CSV file (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
