import { cellName } from "./cell-names.ts";
import type { Limits } from "../limits.ts";
import { type FormatKind, showInShape } from "./number-format.ts";
import { damaged, tooManyColumns } from "./refusals.ts";
import { FileRefused } from "../facts.ts";
import { parseIsoDate, serialToDate, showHours, type CellDate } from "./serial-date.ts";
import { readRichText } from "./shared-strings.ts";
import type { CellValue } from "./workbook.ts";
import { readText, unescapeCellText } from "./xml-text.ts";
import { nameCode } from "./xml-namespaces.ts";
import { nextAttribute, nextTag, skipAttributes, skipElement, type XmlScan } from "./xml-scan.ts";

type Source = {
  scan: XmlScan;
  sheetName: string;
  strings: readonly string[];
  styles: readonly FormatKind[];
  date1904: boolean;
  limits: Limits;
  /** Decreased by all sheets of the workbook. */
  budget: { cellsLeft: number };
};

/** Creates the state for reading the cells of one sheet. */
export const createCellReader = (source: Source) => ({
  ...source,
  /** Column of the last cell; cells without a reference follow it. */
  column: -1,
  /** Values of the current row, one slot per allowed column; the first `width` slots are in use. */
  values: Array.from<CellValue | undefined>({
    length: source.limits.maxColumns + source.limits.extraColumns,
  }),
  width: 0,
  placesLeft: source.limits.maxPlaces,
  /** Dates repeat in a column; equal ones share one object. */
  dates: new Map<number, CellDate | undefined>(),
});

export type CellReader = ReturnType<typeof createCellReader>;

const C = nameCode("c");
const R = nameCode("r");
const S = nameCode("s");
const T = nameCode("t");
const V = nameCode("v");
const F = nameCode("f");
const IS = nameCode("is");

const SHARED = nameCode("s");
const NUMBER = nameCode("n");
const BOOLEAN = nameCode("b");
const ERROR = nameCode("e");
const ISO_DATE = nameCode("d");
const FORMULA_TEXT = nameCode("str");

/**
 * Reads the cell just opened into `values`; a blank cell leaves its slot empty.
 * @throws FileRefused if a value is beyond the last allowed column, or a text is too long
 */
export function readCell(reader: CellReader, row: number): void {
  const { scan } = reader;
  let column = reader.column + 1;
  let style = 0;
  let type = NUMBER;
  while (nextAttribute(scan)) {
    if (scan.attribute === R) column = readColumn(scan);
    else if (scan.attribute === S) style = readIndex(scan, scan.valueStart, scan.valueEnd);
    else if (scan.attribute === T) type = codeBetween(scan, scan.valueStart, scan.valueEnd);
  }
  reader.column = column;
  if (scan.selfClosing) return;
  const value = readContent(reader, type, style);
  if (value === undefined || value === "") return;
  countCell(reader, value, row);
  reader.values[column] = value;
  if (column >= reader.width) reader.width = column + 1;
}

/** @throws FileRefused if the value just read exceeds a limit */
function countCell({ limits, budget, column, sheetName }: CellReader, value: CellValue, row: number): void {
  const { maxColumns, maxTextLength: max } = limits;
  if (column >= maxColumns + limits.extraColumns)
    throw tooManyColumns(sheetName, cellName(column, row), maxColumns);
  if (typeof value === "string" && value.length > max)
    throw new FileRefused("text_too_long", { cell: cellName(column, row), sheet: sheetName, max });
  if (column < maxColumns && --budget.cellsLeft < 0)
    throw new FileRefused("too_many_cells", { max: limits.maxCells });
}

function readContent(reader: CellReader, type: number, style: number): CellValue | undefined {
  const { scan } = reader;
  let value: CellValue | undefined;
  let hasFormula = false;
  let hasValue = false;
  for (;;) {
    if (!nextTag(scan)) throw damaged(`${scan.part} is cut off`);
    if (scan.closing) {
      if (scan.name !== C) continue;
      skipAttributes(scan);
      break;
    }
    if (scan.name === V) {
      value = readValue(reader, type, style);
      // openpyxl doesn't calculate, and writes an empty number; an empty text is a result.
      hasValue ||= value !== undefined || type !== NUMBER;
    } else if (scan.name === IS) {
      value = readRichText(scan, IS);
      hasValue = true;
    } else {
      hasFormula ||= scan.name === F;
      skipElement(scan);
    }
  }
  return hasFormula && !hasValue ? NO_VALUE : value;
}

const NO_VALUE: CellValue = { kind: "no_value" };

function readValue(reader: CellReader, type: number, style: number): CellValue | undefined {
  const { scan } = reader;
  skipAttributes(scan);
  if (scan.selfClosing) return undefined;
  if (type === NUMBER) return readNumberValue(reader, style);
  if (type === SHARED) return readShared(reader);
  const text = readText(scan);
  switch (type) {
    case BOOLEAN:
      return text === "1" || text === "true";
    case ERROR:
      return { kind: "error", code: text };
    case ISO_DATE:
      return parseIsoDate(text) ?? text;
    default:
      return type === FORMULA_TEXT ? unescapeCellText(text) : text;
  }
}

function readShared(reader: CellReader): string | undefined {
  const { scan } = reader;
  const start = scan.pos;
  const end = endOfNumber(scan);
  if (start === end) return undefined;
  const text = reader.strings[readIndex(scan, start, end)];
  if (text === undefined) throw damaged(`${scan.part} refers to a text that is not there`);
  return text;
}

function readNumberValue(reader: CellReader, style: number): CellValue | undefined {
  const { scan } = reader;
  const start = scan.pos;
  const end = endOfNumber(scan);
  if (start === end) return undefined;
  const number = readNumber(scan, start, end);
  if (number === undefined) throw damaged(`${scan.part} has an invalid number`);
  return formatNumber(reader, number, reader.styles[style]);
}

function formatNumber(reader: CellReader, number: number, format: FormatKind | undefined): CellValue {
  if (format === undefined) return number;
  switch (format.kind) {
    case "plain":
      return number;
    case "date":
      return readSerialDate(reader, number);
    case "time":
      return { ...format, number, text: showHours(number) };
    case "percent":
      return format.byText
        ? readPercent(number, Number.isInteger(number) ? "0%" : "0.00%")
        : readPercent(number * 100, format.format);
    case "money":
      return { ...format, number, text: `${number} ${format.sign}` };
    case "padded":
      if (!Number.isInteger(number) || number < 0 || number >= 1e15) return number;
      return { kind: "padded", number, text: showInShape(format.shape, number), format: format.format };
  }
}

/** A number of percent; the cell's own number is a hundredth of it. */
const readPercent = (percent: number, format: string): CellValue => ({
  kind: "percent",
  number: exactDigits(percent / 100),
  text: `${exactDigits(percent)}%`,
  format,
});

const exactDigits = (number: number) => Number(number.toPrecision(15));

function readSerialDate(reader: CellReader, number: number): CellValue {
  let date = reader.dates.get(number);
  if (date === undefined && !reader.dates.has(number)) {
    date = serialToDate(number, reader.date1904);
    if (reader.dates.size < 10_000) reader.dates.set(number, date);
  }
  return date ?? number;
}

/** Moves to the `<` after a number. */
function endOfNumber(scan: XmlScan): number {
  const { bytes } = scan;
  let at = scan.pos;
  while (at < bytes.length && bytes[at] !== 0x3c) at++;
  if (bytes[at + 1] !== 0x2f) throw damaged(`${scan.part} has a broken number`);
  scan.pos = at;
  return at;
}

/** Column index of a reference such as "AB12", starting at 0. */
function readColumn(scan: XmlScan): number {
  let column = 0;
  for (let at = scan.valueStart; at < scan.valueEnd; at++) {
    const letter = ((scan.bytes[at] as number) & 0xdf) - 0x40;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
    if (column > 16_384) break;
  }
  if (column < 1 || column > 16_384) throw damaged(`${scan.part} has a cell beyond the last column of Excel`);
  return column - 1;
}

function readIndex(scan: XmlScan, start: number, end: number): number {
  let index = 0;
  for (let at = start; at < end; at++) {
    const digit = (scan.bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9 || index > 99_999_999) throw damaged(`${scan.part} has a broken reference`);
    index = index * 10 + digit;
  }
  return index;
}

function codeBetween(scan: XmlScan, start: number, end: number): number {
  let code = 0;
  for (let at = start; at < end; at++) code = (Math.imul(code, 31) + (scan.bytes[at] as number)) | 0;
  return code;
}

const POWERS_OF_TEN = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/**
 * Parses the number between two offsets of the part, without creating a string if it has at most 15 digits
 * and no exponent: then digits ÷ power of ten is the exact nearest double. Longer ones are rounded to the 15
 * significant digits that Excel shows (19.989999999999998 is 19.99).
 * @returns undefined if it is not a number
 */
export function readNumber(scan: XmlScan, start: number, end: number): number | undefined {
  const { bytes } = scan;
  const negative = bytes[start] === 0x2d;
  let digits = 0;
  let count = 0;
  let decimals = -1;
  for (let at = negative ? start + 1 : start; at < end; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit >= 0 && digit <= 9) {
      digits = digits * 10 + digit;
      count++;
      if (decimals >= 0) decimals++;
    } else if (digit === -2 && decimals < 0) decimals = 0;
    else return readSlowNumber(bytes.toString("latin1", start, end));
  }
  if (count === 0 || count > 15) return readSlowNumber(bytes.toString("latin1", start, end));
  const value = decimals > 0 ? digits / (POWERS_OF_TEN[decimals] as number) : digits;
  return negative ? 0 - value : value;
}

function readSlowNumber(text: string): number | undefined {
  if (!/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text)) return undefined;
  const value = Number(Number(text).toPrecision(15));
  return Number.isFinite(value) ? value : undefined;
}
