import { FileRefused } from "../facts.ts";
import type { Limits } from "../limits.ts";
import { decodeText, findControl } from "./decode-text.ts";

/** `number` counts from 1 as a spreadsheet would show it; `cells[0]` is column A; blank cells are undefined. */
export type CsvRow = { number: number; cells: (string | undefined)[] };

const SEPARATORS = [",", ";", "\t", "|"] as const;
type Separator = (typeof SEPARATORS)[number];

/** Rows that decide which separator it is. */
const SAMPLE_ROWS = 10;

/**
 * Reads text separated by commas, semicolons, tabs or vertical bars. Every value stays the text it is: nothing is taken
 * for a number or a date here. A first line "sep=;" names the separator and is no row, as in Excel.
 * @param bytes UTF-8, UTF-16 or Windows-1252, recognized by their content
 * @throws FileRefused when the file is empty, not text, not closed in its quotation marks, or over a limit
 * @see RFC 4180
 */
export function readCsv(bytes: Uint8Array, limits: Limits): CsvRow[] {
  const text = decodeText(bytes);
  if (text === undefined) throw new FileRefused("not_text");
  if (text.trim() === "") throw new FileRefused("empty_file");
  if (WEB_PAGE.test(text.slice(0, 1000))) throw new FileRefused("web_page");
  const named = /^sep=([,;\t|])\r?\n/i.exec(text);
  const start = named?.[0].length ?? 0;
  const separator = (named?.[1] as Separator | undefined) ?? findSeparator(text, limits);
  return readRows(text, { start, separator, limits });
}

const WEB_PAGE = /^\s*<(?:!doctype\s+html|html|head|body|table)\b/i;

type Reading = { start: number; separator: Separator; limits: Limits };

function readRows(text: string, { start, separator, limits }: Reading): CsvRow[] {
  const rows: CsvRow[] = [];
  const cursor = { at: start };
  const known = new Map<string, string>();
  const control = findControl(text);
  let cellsLeft = limits.maxCells;
  for (let number = 1; cursor.at < text.length; number += 1) {
    const cells = readRecord(text, cursor, { separator, number, limits });
    if (control >= 0 && control < cursor.at)
      throw new FileRefused("control_character", { row: number, code: text.charCodeAt(control) });
    if (cells.length === 0) continue;
    if (rows.length >= limits.maxRows)
      throw new FileRefused("too_many_rows", { max: limits.maxRows, isText: true });
    cellsLeft -= cells.length;
    if (cellsLeft < 0) throw new FileRefused("too_many_cells", { max: limits.maxCells, isText: true });
    // In place: a second array for each row would cost as much as the row.
    for (let column = 0; column < cells.length; column += 1) {
      const cell = cells[column];
      if (cell !== undefined) cells[column] = sharedText(known, cell);
    }
    rows.push({ number, cells });
  }
  return rows;
}

/** Names and dates repeat down a column; equal ones share one string. */
function sharedText(known: Map<string, string>, text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size < MAX_SHARED) known.set(text, text);
  return text;
}

const MAX_SHARED = 20_000;

type RecordRules = { separator: Separator; number: number; limits: Limits };

/** One record, its line end included; blank cells at its end are left out. */
function readRecord(text: string, cursor: { at: number }, rules: RecordRules): (string | undefined)[] {
  const cells: (string | undefined)[] = [];
  for (let column = 0; ; column += 1) {
    const value = readField(text, cursor, rules);
    if (value !== "") {
      if (column >= rules.limits.maxColumns + rules.limits.extraColumns)
        throw new FileRefused("too_many_columns", { max: rules.limits.maxColumns, isText: true });
      if (value.length > rules.limits.maxTextLength) throw tooLong(rules);
      while (cells.length < column) cells.push(undefined);
      cells.push(value);
    }
    const end = text[cursor.at];
    cursor.at += end === "\r" && text[cursor.at + 1] === "\n" ? 2 : 1;
    if (end !== rules.separator) return cells;
  }
}

/** One value; afterwards the cursor is on what ends it. */
function readField(text: string, cursor: { at: number }, rules: RecordRules): string {
  const value = readWritten(text, cursor, rules);
  return value.startsWith('="') ? (AS_TEXT.exec(value)?.[1] ?? value) : value;
}

/** `="00123"`: how other programs write a text that a spreadsheet would take for a number; it shows 00123. */
const AS_TEXT = /^="([^"]*)"$/;

/** Text behind a closing quotation mark belongs to the value. */
function readWritten(text: string, cursor: { at: number }, rules: RecordRules): string {
  const { separator, number, limits } = rules;
  let value = "";
  if (text[cursor.at] === '"') {
    for (let from = cursor.at + 1; ;) {
      const quote = text.indexOf('"', from);
      if (quote < 0) throw new FileRefused("quote_not_closed", { row: number });
      value += text.slice(from, quote);
      // Not only at its end: joined from millions of pieces, a text costs many times its size.
      if (value.length > limits.maxTextLength) throw tooLong(rules);
      cursor.at = quote + 1;
      if (text[cursor.at] !== '"') break;
      value += '"';
      from = quote + 2;
    }
  }
  const start = cursor.at;
  while (cursor.at < text.length && !endsField(text.charCodeAt(cursor.at), separator)) cursor.at += 1;
  return value + text.slice(start, cursor.at);
}

const endsField = (code: number, separator: Separator) =>
  code === 10 || code === 13 || code === separator.charCodeAt(0);

/** The separator that cuts the first rows into most columns, all rows alike. */
function findSeparator(text: string, limits: Limits): Separator {
  const sample = text.slice(0, 64 * 1024);
  const scores = SEPARATORS.map((separator) => ({
    separator,
    score: scoreOf(sample, { separator, number: 0, limits }),
  }));
  return scores.toSorted((a, b) => b.score - a.score)[0]?.separator ?? ",";
}

function scoreOf(sample: string, rules: RecordRules): number {
  const cursor = { at: 0 };
  const widths: number[] = [];
  try {
    while (widths.length < SAMPLE_ROWS && cursor.at < sample.length) {
      const cells = readRecord(sample, cursor, rules);
      if (cells.length > 0) widths.push(cells.length);
    }
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
  }
  const widest = Math.max(0, ...widths);
  if (widest < 2) return 0;
  return widest * (widths.filter((width) => width > 1).length / widths.length);
}

const tooLong = ({ number, limits }: RecordRules) =>
  new FileRefused("text_too_long", { row: number, max: limits.maxTextLength });
