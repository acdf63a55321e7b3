/** First characters with which a spreadsheet reads a cell as a formula. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** Byte order mark, so that Excel too opens the file as UTF-8. */
export const CSV_START = "\ufeff";

/**
 * Formats one line of a CSV file (RFC 4180). Prefixes text that a spreadsheet would read as a formula with an
 * apostrophe.
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
