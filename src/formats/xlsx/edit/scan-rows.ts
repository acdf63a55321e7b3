import { columnOf } from "../cell-names.ts";
import { nameCode } from "../name-code.ts";
import { damaged } from "../refusals.ts";
import { nextChild, nextTag, scanXml, skipAttributes, skipElement, type XmlScan } from "../xml-scan.ts";
import { valueIn } from "./xml-tags.ts";

/** A formula as stored, its tags included; `text` is "" where a shared one is elsewhere. */
export type Formula = { xml: string; type: string; si: string; text: string };

/** A cell as it is written: what is in front of it, its start tag, and all behind that. */
export type CellXml = {
  column: number;
  before: string;
  tag: string;
  inner: string;
  formula: Formula | undefined;
};

/** A row as it is written: its start tag, its cells, and all behind the last of them. */
export type RowXml = { number: number; tag: string; cells: CellXml[]; end: string };

/** `scan` reads the bytes of `text`, so that places in it are places in the text. */
type SheetText = { text: string; scan: XmlScan };

const SHEET_DATA = nameCode("sheetData");
const ROW = nameCode("row");
const C = nameCode("c");

/**
 * Hands the rows of a sheet to `visit` one after the other, in the order of the text.
 * @param text of one character a byte
 * @returns what is in front of the rows and behind them
 * @throws FileRefused when the part is cut off
 */
export function scanRows(
  text: string,
  part: string,
  visit: (row: RowXml) => void,
): { head: string; tail: string } {
  const scan = scanXml(Buffer.from(text, "latin1"), part);
  const sheet = { text, scan };
  nextTag(scan);
  while (nextChild(scan) && scan.name !== SHEET_DATA) skipElement(scan);
  skipAttributes(scan);
  if (scan.name !== SHEET_DATA || scan.selfClosing) throw damaged(`${part} has no rows`);
  const head = text.slice(0, scan.pos);
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
  if (scan.name !== SHEET_DATA) throw damaged(`${part} is cut off`);
  return { head, tail: text.slice(tagStart(sheet)) };
}

function readRow(sheet: SheetText, previous: number): RowXml {
  const { text, scan } = sheet;
  const tag = readTag(sheet);
  const cells: CellXml[] = [];
  const number = Number(valueIn(tag, "r") ?? previous + 1);
  if (scan.selfClosing)
    return { number, tag: tag.replace(/\/>$/, ">"), cells, end: tag.replace(/^<([^\s/>]+).*/s, "</$1>") };
  let at = scan.pos;
  while (nextChild(scan)) {
    if (scan.name === C) {
      const before = text.slice(at, tagStart(sheet));
      cells.push({ before, ...readCell(sheet, cells.at(-1)?.column ?? -1) });
      at = scan.pos;
    } else skipElement(scan);
  }
  if (scan.name !== ROW) throw damaged(`${scan.part} is cut off`);
  skipAttributes(scan);
  return { number, tag, cells, end: text.slice(at, scan.pos) };
}

function readCell(sheet: SheetText, previous: number): Omit<CellXml, "before"> {
  const { text, scan } = sheet;
  const tag = readTag(sheet);
  const start = scan.pos;
  skipElement(scan);
  const inner = text.slice(start, scan.pos);
  const place = valueIn(tag, "r");
  const column = place === undefined ? previous + 1 : columnOf(place);
  return { column, tag, inner, formula: formulaIn(inner) };
}

const FORMULA = /^\s*((<(?:[^\s<>/:]+:)?f(?=[\s/>])[^>]*?)(?:\/>|>([\s\S]*?)<\/[^>]*>))/;

function formulaIn(inner: string): Formula | undefined {
  const [, xml, tag = "", text = ""] = FORMULA.exec(inner) ?? [];
  return xml === undefined
    ? undefined
    : { xml, type: valueIn(tag, "t") ?? "", si: valueIn(tag, "si") ?? "", text };
}

/** The start tag just found; afterwards the scan is behind it. */
function readTag(sheet: SheetText): string {
  const start = tagStart(sheet);
  skipAttributes(sheet.scan);
  return sheet.text.slice(start, sheet.scan.pos);
}

const tagStart = ({ text, scan }: SheetText): number => text.lastIndexOf("<", scan.pos - 1);
