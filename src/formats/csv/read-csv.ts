import { FileRefused } from "../facts.ts";
import type { Limits } from "../limits.ts";

/**
 * `number` starts at 1 like a spreadsheet's row numbers; `cells[0]` is column A; blank cells are undefined.
 */
export type CsvRow = { number: number; cells: (string | undefined)[] };

const SEPARATORS = [",", ";", "\t", "|"] as const;
type Separator = (typeof SEPARATORS)[number];

/** Number of rows examined to detect the separator. */
const SAMPLE_ROWS = 10;

/**
 * Reads text separated by commas, semicolons, tabs or vertical bars. Every value stays text: numbers and
 * dates are not interpreted here. A first line "sep=;" declares the separator and is not a row, as in Excel.
 * @param bytes UTF-8, UTF-16, Windows-1252 or Mac Roman, detected by content
 * @throws FileRefused if the file is empty, not text, over a limit, or has an unclosed quotation mark
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

/** Names and dates repeat in a column; equal ones share one string. */
function sharedText(known: Map<string, string>, text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size < MAX_SHARED) known.set(text, text);
  return text;
}

const MAX_SHARED = 20_000;

type RecordRules = { separator: Separator; number: number; limits: Limits };

/** Reads one record including its line end; drops trailing blank cells. */
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

/** Reads one value; afterwards the cursor is on its terminator. */
function readField(text: string, cursor: { at: number }, rules: RecordRules): string {
  const value = readWritten(text, cursor, rules);
  return value.startsWith('="') ? (AS_TEXT.exec(value)?.[1] ?? value) : value;
}

/**
 * `="00123"`: used by other programs for text that a spreadsheet would read as a number; it displays 00123.
 */
const AS_TEXT = /^="([^"]*)"$/;

/** Reads a quoted value; text after the closing quotation mark belongs to it. */
function readWritten(text: string, cursor: { at: number }, rules: RecordRules): string {
  const { separator, number, limits } = rules;
  let value = "";
  if (text[cursor.at] === '"') {
    for (let from = cursor.at + 1; ;) {
      const quote = text.indexOf('"', from);
      if (quote < 0) throw new FileRefused("quote_not_closed", { row: number });
      value += text.slice(from, quote);
      // Not only at its end: a text joined from millions of pieces takes many times its size.
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

/** Finds the separator that splits the first rows into the most columns, equally many in each row. */
function findSeparator(text: string, limits: Limits): Separator {
  const sample = text.slice(0, 64 * 1024);
  const scores = SEPARATORS.map((separator) => ({
    separator,
    score: scoreSeparator(sample, { separator, number: 0, limits }),
  }));
  return scores.toSorted((a, b) => b.score - a.score)[0]?.separator ?? ",";
}

function scoreSeparator(sample: string, rules: RecordRules): number {
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

/** Bytes examined to distinguish UTF-16 without a byte order mark from other text. */
const SAMPLE_BYTES = 4096;

/**
 * Decodes a file: UTF-8, UTF-16 or, if it is neither, Windows-1252, which Excel in the US and Western Europe
 * writes, or Mac Roman, which Excel for Mac does. A byte order mark decides and is dropped.
 * @returns undefined for bytes that are not text
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const text = withoutEndMark(decode(bytes));
  const sample = text.slice(0, SAMPLE_BYTES);
  const controls = sample.match(new RegExp(CONTROL, "g"))?.length ?? 0;
  return controls > Math.max(1, sample.length / 200) ? undefined : text;
}

/** Finds the index of the first control character of a text, -1 if none; ignores tabs and line breaks. */
export const findControl = (text: string): number => text.search(CONTROL);

// eslint-disable-next-line no-control-regex -- it searches for control characters
const CONTROL = /[\u0000-\u0008\u000e-\u001f]/;

/** Removes the Ctrl-Z with which DOS programs end a file, alone or after line breaks. */
function withoutEndMark(text: string): string {
  let end = text.length;
  while (end > 0 && (text.charCodeAt(end - 1) === END_MARK || isLineBreak(text.charCodeAt(end - 1))))
    end -= 1;
  return text.includes("\u001a", end) ? text.slice(0, end) : text;
}

const END_MARK = 0x1a;

const isLineBreak = (code: number) => code === 10 || code === 13;

/** A dash or quotation mark of Excel for Mac; in Windows-1252 a capital with an accent, which follows no small letter. */
const MAC_MARK = /[a-z\d][\u00D0-\u00D5]/;
const WINDOWS_MARK = /[\u2013\u2014\u2018\u2019\u201C\u201D\u2022]/;

function decode(bytes: Uint8Array): string {
  const encoding = detectEncoding(bytes);
  if (encoding) return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder("windows-1252").decode(bytes);
    const isMac = MAC_MARK.test(text) && !WINDOWS_MARK.test(text);
    return isMac ? new TextDecoder("macintosh").decode(bytes) : text;
  }
}

/** @returns undefined if the bytes alone are inconclusive */
function detectEncoding(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  return zeroPattern(bytes.subarray(0, SAMPLE_BYTES));
}

/** Detects UTF-16 by its zeros: most characters of a table are below 256, so every second byte is zero. */
function zeroPattern(sample: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const half = sample.length / 2;
  if (odd > half * 0.4 && even < half * 0.05) return "utf-16le";
  if (even > half * 0.4 && odd < half * 0.05) return "utf-16be";
  return undefined;
}
