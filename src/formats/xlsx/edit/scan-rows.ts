import { damaged } from "../refusals.ts";
import { nameCode } from "../name-code.ts";
import { nextAttribute, nextChild, nextTag, skipAttributes, skipElement } from "../xml-scan.ts";
import type { Edit, SheetText } from "./sheet-text.ts";

/** A piece of the sheet's text. */
export type Span = { start: number; end: number };

export type FormulaAt = Span & {
  type: string;
  /** Of a shared formula: its number. */
  si: string;
  /** The formula as stored, "" where a shared one is elsewhere. */
  xml: string;
};

export type CellAt = Span & {
  /** Counted from 0. */
  column: number;
  /** The value of the attribute `r`, undefined when the cell has none. */
  place: Span | undefined;
  style: string;
  formula: FormulaAt | undefined;
};

export type RowAt = Span & {
  number: number;
  /** Behind the start tag. */
  inner: number;
  place: Span | undefined;
  attributes: Map<number, Span>;
  selfClosing: boolean;
  cells: CellAt[];
};

export const ROW = nameCode("row");
const SHEET_DATA = nameCode("sheetData");
const C = nameCode("c");
const F = nameCode("f");
const R = nameCode("r");
const S = nameCode("s");
const T = nameCode("t");
const SI = nameCode("si");

/**
 * Finds the rows of a sheet and hands them to `visit` one after the other, in the order of the text.
 * @returns the place of everything between the tags of `sheetData`
 * @throws FileRefused when the part is cut off
 */
export function scanRows(sheet: SheetText, visit: (row: RowAt) => void): Span {
  const { scan } = sheet;
  next(sheet);
  while (nextChild(scan)) {
    if (scan.name !== SHEET_DATA) {
      skipElement(scan);
      continue;
    }
    skipAttributes(scan);
    if (scan.selfClosing) break;
    return scanRowsOf(sheet, visit);
  }
  throw damaged(`${sheet.part} has no rows`);
}

/** Afterwards the scan is behind the end tag of `sheetData`. */
function scanRowsOf(sheet: SheetText, visit: (row: RowAt) => void): Span {
  const { scan } = sheet;
  const start = scan.pos;
  let previous = 0;
  while (nextChild(scan)) {
    if (scan.name !== ROW) {
      skipElement(scan);
      continue;
    }
    const row = readRow(sheet, previous);
    previous = row.number;
    visit(row);
  }
  if (scan.name !== SHEET_DATA) throw damaged(`${sheet.part} is cut off`);
  const end = tagStart(sheet);
  skipAttributes(scan);
  return { start, end };
}

function readRow(sheet: SheetText, previous: number): RowAt {
  const { scan } = sheet;
  const start = tagStart(sheet);
  const attributes = readAttributes(sheet);
  const place = attributes.get(R);
  const number = place ? Number(valueOf(sheet, place)) : previous + 1;
  const row: RowAt = {
    start,
    end: scan.pos,
    number,
    inner: scan.pos,
    place,
    attributes,
    selfClosing: scan.selfClosing,
    cells: [],
  };
  if (scan.selfClosing) return row;
  for (;;) {
    next(sheet);
    if (scan.closing && scan.name === ROW) break;
    if (scan.closing) continue;
    if (scan.name === C) row.cells.push(readCell(sheet, row.cells.at(-1)?.column ?? -1));
    else skipElement(scan);
  }
  skipAttributes(scan);
  row.end = scan.pos;
  return row;
}

function readCell(sheet: SheetText, before: number): CellAt {
  const { scan } = sheet;
  const start = tagStart(sheet);
  const attributes = readAttributes(sheet);
  const [place, style] = [attributes.get(R), attributes.get(S)];
  const column = place ? columnOf(valueOf(sheet, place)) : before + 1;
  const cell: CellAt = {
    start,
    end: scan.pos,
    column,
    place,
    style: style ? valueOf(sheet, style) : "",
    formula: undefined,
  };
  if (scan.selfClosing) return cell;
  for (;;) {
    next(sheet);
    if (scan.closing) break;
    if (scan.name === F) cell.formula = readFormula(sheet);
    else skipElement(scan);
  }
  skipAttributes(scan);
  cell.end = scan.pos;
  return cell;
}

function readFormula(sheet: SheetText): FormulaAt {
  const { scan } = sheet;
  const start = tagStart(sheet);
  const attributes = readAttributes(sheet);
  const text = (code: number) => {
    const span = attributes.get(code);
    return span ? valueOf(sheet, span) : "";
  };
  const formula = { start, end: scan.pos, type: text(T), si: text(SI), xml: "" };
  if (scan.selfClosing) return formula;
  const inner = scan.pos;
  skipRest(sheet);
  return {
    ...formula,
    end: scan.pos,
    xml: sheet.text.slice(inner, sheet.text.lastIndexOf("<", scan.pos - 1)),
  };
}

/** Passes over the content of the element whose start tag has been read, its end tag included. */
function skipRest(sheet: SheetText): void {
  for (let depth = 1; depth > 0;) {
    next(sheet);
    if (sheet.scan.closing) depth -= 1;
    skipAttributes(sheet.scan);
    if (!sheet.scan.closing && !sheet.scan.selfClosing) depth += 1;
  }
}

/** The values of the current tag's attributes by the code of their name; afterwards the cursor is behind the tag. */
export function readAttributes({ scan }: SheetText): Map<number, Span> {
  const attributes = new Map<number, Span>();
  while (nextAttribute(scan)) attributes.set(scan.attribute, { start: scan.valueStart, end: scan.valueEnd });
  return attributes;
}

export const valueOf = ({ text }: SheetText, { start, end }: Span): string => text.slice(start, end);

/** Where the tag just found begins. */
export const tagStart = ({ text, scan }: SheetText): number => text.lastIndexOf("<", scan.pos - 1);

/** Takes a whole attribute out, the space before it included. */
export function withoutAttribute({ text }: SheetText, value: Span): Edit {
  const equals = text.lastIndexOf("=", value.start);
  const name = /\s+[^\s=]+\s*$/.exec(text.slice(Math.max(0, equals - 60), equals));
  return { start: equals - (name?.[0].length ?? 0), end: value.end + 1, text: "" };
}

function next(sheet: SheetText): void {
  if (!nextTag(sheet.scan)) throw damaged(`${sheet.part} is cut off`);
}

/** The column of "AB12", counted from 0. */
function columnOf(place: string): number {
  let column = 0;
  for (const character of place.toUpperCase()) {
    const letter = character.charCodeAt(0) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column - 1;
}
