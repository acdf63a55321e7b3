import type { CellValue, SheetRow } from "../xlsx/workbook.ts";
import { isDate } from "./dates.ts";
import type { SheetKind } from "./define-sheet.ts";
import { headerKey, headerText, isBlank } from "./header-text.ts";
import type { Headers } from "./headers.ts";
import { isNothing } from "./placeholders.ts";
import { groupTable } from "./records.ts";
import { BLANK, FILLED, isDigit, MAX_WORD, type Rule } from "./row-mark-rules.ts";
import { cleanText, showCell } from "./texts.ts";

/** Columns with more distinct words are names or notes. */
const MAX_WORDS = 12;

/** The few words of a column; else what it has in their place. */
export function wordsIn(
  rows: readonly SheetRow[],
  index: number,
  { ofNumbers = false }: { ofNumbers?: boolean } = {},
): readonly string[] | "dates" | "others" {
  const seen = new Set<string | boolean>();
  const words = new Set<string>();
  let dates = 0;
  for (const { cells } of rows) {
    const cell = cells[index];
    if (isNothing(cell)) continue;
    if (isDate(cell)) dates += 1;
    else if (isFigure(cell, ofNumbers)) return "others";
    else if (typeof cell === "number" || !seen.has(cell)) {
      if (typeof cell !== "number") seen.add(cell);
      const word = cleanText(showCell(cell));
      if (word.length > MAX_WORD || (NUMBER.test(word) && !isDigit(word) && !ofNumbers)) return "others";
      words.add(word);
      if (words.size > MAX_WORDS) return "others";
    }
  }
  if (dates > 0) return words.size === 0 ? "dates" : "others";
  return [...words];
}

/** Whether a cell is neither a word nor a code: 0 and 1 are words, other numbers are codes in some columns. */
const isFigure = (
  cell: CellValue,
  ofNumbers: boolean,
): cell is Exclude<CellValue, string | number | boolean> =>
  typeof cell === "object" ||
  (typeof cell === "number" && cell !== 0 && cell !== 1 && !(ofNumbers && Number.isInteger(cell)));

const NUMBER = /^[-+(]?[$€£]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)\)?%?$/;

/** The first row of the record of each row. */
export type Records = ReadonlyMap<number, number>;

/** Forms the records once, and only for sheets that need it. */
export function recordsIn(
  kind: SheetKind,
  rows: readonly SheetRow[],
  columns: Headers["columns"],
): () => Records {
  let known: Records | undefined;
  const read = (): Records => {
    if (!kind.grouping) return new Map();
    const groups = groupTable({ kind, columns, rows }, { orders: new Map(), latinOnly: false });
    return new Map(groups.flatMap((group) => group.rows.map((row) => [row, group.rows[0] ?? row] as const)));
  };
  return () => (known ??= read());
}

/**
 * The value of each row. In a column that only first rows of records have, it is the value of the record; exports of shops
 * write their states that way. Rows without one are left out.
 */
export function readDown(
  rows: readonly SheetRow[],
  { index, byFilling, ofOwnRow }: { index: number } & Pick<Rule, "byFilling" | "ofOwnRow">,
  records: Records,
): Map<number, string> {
  const found = new Map<number, string>();
  for (const { number, cells } of rows) {
    const cell = cells[index];
    if (!isNothing(cell)) found.set(number, byFilling ? FILLED : cleanText(showCell(cell)));
  }
  const isOfRecord = [...found.keys()].every((row) => (records.get(row) ?? row) === row);
  for (const { number } of rows) {
    if (found.has(number)) continue;
    const value = (isOfRecord && found.get(records.get(number) ?? number)) || (byFilling ? BLANK : undefined);
    if (value !== undefined && !ofOwnRow?.(value)) found.set(number, value);
  }
  return found;
}

/** The columns with values but without a header: a number or an error in its place is none. */
export function findNameless(rows: readonly SheetRow[], headers: SheetRow["cells"]): number[] {
  const blank = [...headers.keys()].filter((index) => headerKey(headerText(headers[index])) === "");
  const nameless = new Set<number>();
  for (const { cells } of rows) {
    for (const index of blank) if (!isBlank(cells[index])) nameless.add(index);
    for (let index = headers.length; index < cells.length; index += 1)
      if (!isBlank(cells[index])) nameless.add(index);
  }
  return [...nameless].toSorted((a, b) => a - b);
}
