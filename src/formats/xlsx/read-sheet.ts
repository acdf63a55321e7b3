import { readCell, type CellReader } from "./read-cell.ts";
import { cellName } from "./cell-names.ts";
import { emptyCovered, parseRange } from "./merges.ts";
import { damaged, tooManyColumns } from "./refusals.ts";
import { FileRefused } from "../facts.ts";
import type { Sheet, SheetRow } from "./workbook.ts";
import { eachChild, isTrue, attributeText } from "./xml-text.ts";
import { nameCode } from "./xml-namespaces.ts";
import { nextAttribute, nextChild, nextTag, skipElement, type XmlScan } from "./xml-scan.ts";

const SHEET_DATA = nameCode("sheetData");
const ROW = nameCode("row");
const C = nameCode("c");
const R = nameCode("r");
const HIDDEN = nameCode("hidden");
const MERGE_CELL = nameCode("mergeCell");
const MERGE_CELLS = nameCode("mergeCells");
const COLS = nameCode("cols");
const COL = nameCode("col");

const LAST_ROW = 1_048_576;
const HEAD_ROWS = 10;
const MAX_MERGES = 10_000;

/**
 * Reads the cells of one sheet. Ignores the declared dimension, which is often wrong. Styled blank rows and
 * cells cost only their bytes.
 * @throws FileRefused if the part is not well-formed; an exceeded limit is reported in `refused` instead
 */
export function readSheet(reader: CellReader, about: Pick<Sheet, "name" | "state">): Sheet {
  const sheet: Sheet = { ...about, rows: [], hiddenColumns: [], merges: [], refused: null };
  try {
    readParts(reader, sheet);
  } catch (error) {
    if (!(error instanceof FileRefused) || !LIMIT_CODES.has(error.code)) throw error;
    sheet.refused = error;
    sheet.rows = sheet.rows.filter((row) => row.number <= HEAD_ROWS);
  }
  return sheet;
}

const LIMIT_CODES: ReadonlySet<string> = new Set(["too_many_rows", "too_many_columns", "too_many_cells"]);

/** Merged ranges are the last part that is read; everything after them is skipped. */
function readParts(reader: CellReader, sheet: Sheet): void {
  const { scan } = reader;
  let hasRows = false;
  nextTag(scan);
  while (nextChild(scan)) {
    if (scan.name === COLS) readColumnRanges(reader, sheet.hiddenColumns);
    else if (scan.name === SHEET_DATA) {
      readRows(reader, sheet);
      hasRows = true;
    } else if (scan.name === MERGE_CELLS) return readMerges(reader, sheet);
    else skipElement(scan);
  }
  if (!hasRows) throw damaged(`${scan.part} has no rows`);
}

function readRows(reader: CellReader, sheet: Sheet): void {
  const { scan } = reader;
  let previous = 0;
  let inOrder = true;
  while (nextChild(scan)) {
    if (scan.name !== ROW) {
      skipElement(scan);
      continue;
    }
    const row = startRow(scan, previous);
    readCells(reader, row);
    inOrder &&= row.number > previous;
    previous = row.number;
    addRow(reader, sheet, row);
  }
  if (scan.name !== SHEET_DATA) throw damaged(`${scan.part} is cut off`);
  if (!inOrder) sortRows(sheet, scan);
}

/** One `<col>` describes a range of columns; only those within the limit matter. */
function readColumnRanges({ scan, limits }: CellReader, hiddenColumns: number[]): void {
  eachChild(scan, COL, (range) => {
    // The limit bounds the cost of a part that consists only of column ranges.
    if (!isTrue(range.get("hidden")) || hiddenColumns.length >= limits.maxColumns) return;
    const last = Math.min(Number(range.get("max") ?? 0), limits.maxColumns);
    for (let column = Math.max(Number(range.get("min") ?? 1), 1); column <= last; column++)
      hiddenColumns.push(column - 1);
  });
}

/** Reads the cells of the row just opened, up to its end. */
function readCells(reader: CellReader, row: SheetRow): void {
  const { scan } = reader;
  if (scan.selfClosing) return;
  reader.column = -1;
  reader.width = 0;
  while (nextChild(scan)) {
    if (scan.name === C) readCell(reader, row.number);
    else skipElement(scan);
  }
  if (scan.name !== ROW) throw damaged(`${scan.part} is cut off`);
  row.cells = reader.values.slice(0, reader.width);
  reader.values.fill(undefined, 0, reader.width);
}

function startRow(scan: XmlScan, previous: number): SheetRow {
  const row: SheetRow = { number: 0, hidden: false, cells: [] };
  while (nextAttribute(scan)) {
    if (scan.attribute === R)
      row.number = Number(scan.bytes.toString("latin1", scan.valueStart, scan.valueEnd));
    else if (scan.attribute === HIDDEN) row.hidden = isTrue(attributeText(scan));
  }
  if (row.number === 0) row.number = previous + 1;
  if (!Number.isInteger(row.number) || row.number < 1 || row.number > LAST_ROW) {
    throw damaged(`${scan.part} has a row beyond the last one of Excel`);
  }
  return row;
}

function addRow(reader: CellReader, sheet: Sheet, row: SheetRow): void {
  if (row.cells.length === 0) return;
  const { maxRows } = reader.limits;
  if (sheet.rows.length >= maxRows) {
    throw new FileRefused("too_many_rows", { sheet: sheet.name, max: maxRows });
  }
  reader.placesLeft -= row.cells.length;
  if (reader.placesLeft < 0)
    throw tooManyColumns(sheet.name, cellName(row.cells.length - 1, row.number), USUAL_COLUMNS);
  sheet.rows.push(row);
}

/**
 * Sheets with up to this many columns never run out of slots; a wider one with many rows is asked to stay
 * within them.
 */
const USUAL_COLUMNS = 256;

function sortRows(sheet: Sheet, scan: XmlScan): void {
  sheet.rows.sort((a, b) => a.number - b.number);
  for (let index = 1; index < sheet.rows.length; index++) {
    if (sheet.rows[index]?.number === sheet.rows[index - 1]?.number)
      throw damaged(`${scan.part} has a row twice`);
  }
}

function readMerges({ scan, limits }: CellReader, sheet: Sheet): void {
  let visited = 0;
  eachChild(scan, MERGE_CELL, (merge) => {
    const reference = merge.get("ref") ?? "";
    if (sheet.merges.length < MAX_MERGES) sheet.merges.push(reference);
    const range = parseRange(reference);
    if (range) visited += emptyCovered(sheet, range);
    // Ranges of Excel don't overlap.
    if (visited > limits.maxPlaces) throw damaged(`${scan.part} has merged ranges that overlap`);
  });
}
