import type { CsvRow } from "./read-csv.ts";

/** "19,95" and "1.219,95" */
const BY_COMMA = /^[-+]?\d+,\d+$|^[-+]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
const WHOLE = /^[-+]?\d+$/;
/** Three digits behind a comma may be thousands. */
const SURELY_BY_COMMA = /^[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+),(?:\d{1,2}|\d{4,})$/;
const SURELY_BY_POINT = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)\.(?:\d{1,2}|\d{4,})$/;

/**
 * Rewrites the numbers of a file in which a comma stands before the decimals, as in most of Europe. A
 * column is rewritten if all its cells are such numbers and one can be nothing else; no column is if the file has a number
 * with a decimal point, too.
 */
export function readDecimalCommas(rows: readonly CsvRow[]): CsvRow[] {
  const [header, ...data] = rows;
  if (!header) return [];
  const width = Math.max(...data.map(({ cells }) => cells.length), 0);
  const columns = Array.from({ length: width }, (_, index) =>
    data.flatMap(({ cells }) => cells[index]?.trim() || []),
  );
  if (columns.some((cells) => cells.some((cell) => SURELY_BY_POINT.test(cell)))) return [...rows];
  const isRewritten = columns.map(
    (cells) =>
      cells.some((cell) => SURELY_BY_COMMA.test(cell)) &&
      cells.every((cell) => BY_COMMA.test(cell) || WHOLE.test(cell)),
  );
  if (!isRewritten.includes(true)) return [...rows];
  return [
    header,
    ...data.map(({ number, cells }) => ({
      number,
      cells: cells.map((cell, index) =>
        isRewritten[index] && cell !== undefined ? cell.replaceAll(".", "").replace(",", ".") : cell,
      ),
    })),
  ];
}
