import type { CsvRow } from "./read-csv.ts";

/** "19,95" and "1.219,95" */
const BY_COMMA = /^[-+]?\d+,\d+$|^[-+]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
const WHOLE = /^[-+]?\d+$/;
/** Three digits behind a comma may be thousands. */
const SURELY_BY_COMMA = /^[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+),(?:\d{1,2}|\d{4,})$/;
const SURELY_BY_POINT = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)\.(?:\d{1,2}|\d{4,})$/;
/** "1,250", "1.250", "€ 1,250" */
const MAYBE_THOUSANDS = /^\D{0,5}\d{1,3}[.,]\d{3}\D{0,5}$/;

/** Headers of columns of free text, in which "0,75" may be a size. */
const TEXTS = /desc(?!uento)|memo|note|comment|details|beschreib|bezeichn/i;

/**
 * Rewrites the numbers of a file in which a comma is before the decimals, as in most of Europe. A
 * column without a header of texts is rewritten if all its cells are such numbers and one can be nothing else; no column is if the file has a number
 * with a decimal point, too, or one outside these columns that may have thousands or decimals: the commas must stay to
 * show that it is ambiguous.
 */
export function readDecimalCommas(rows: readonly CsvRow[]): readonly CsvRow[] {
  const [header, ...data] = rows;
  const found = new Set<number>();
  for (const { cells } of data)
    for (const [index, cell] of cells.entries())
      if (cell?.includes(",") && SURELY_BY_COMMA.test(cell.trim()) && !TEXTS.test(header?.cells[index] ?? ""))
        found.add(index);
  if (!header || found.size === 0) return rows;
  const isPointed = data.some(({ cells }) => cells.some((cell) => cell && SURELY_BY_POINT.test(cell.trim())));
  if (isPointed) return rows;
  const isNumber = (cell: string) => BY_COMMA.test(cell) || WHOLE.test(cell);
  const rewritten = [...found].filter((index) =>
    data.every(({ cells }) => {
      const cell = cells[index]?.trim() ?? "";
      return cell === "" || isNumber(cell);
    }),
  );
  const isOpenElsewhere = data.some(({ cells }) =>
    cells.some((cell, index) => cell && !rewritten.includes(index) && MAYBE_THOUSANDS.test(cell)),
  );
  if (isOpenElsewhere) return rows;
  const rewrite = (cell: string | undefined, index: number) =>
    rewritten.includes(index) ? cell?.replaceAll(".", "").replace(",", ".") : cell;
  return [header, ...data.map(({ number, cells }) => ({ number, cells: cells.map(rewrite) }))];
}
