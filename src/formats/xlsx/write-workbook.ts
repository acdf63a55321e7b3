import type { Cell, CellStyle, DataValidation, WriteSheet } from "hucre";
import { writeXlsx } from "hucre/xlsx";
import { columnName } from "./cell-names.ts";
import { dateToSerial } from "./serial-date.ts";
import type { CellValue } from "./workbook.ts";

export type WrittenColumn = {
  header: string;
  /** In characters. */
  width?: number;
  /** Shown when the pointer rests on the header. */
  note?: string;
  /** Everything typed here later stays text: leading zeros and long numbers survive. */
  text?: boolean;
  /** Values offered in a drop-down list; others are allowed with a warning. */
  choices?: readonly string[];
  /** Name of a range whose values are offered in a drop-down list; others are allowed with the hint as a warning. */
  choicesIn?: { range: string; hint: string };
};

export type WrittenSheet = {
  name: string;
  state?: "hidden" | "veryHidden";
  columns: readonly WrittenColumn[];
  /** Without the header row, which comes from `columns`. */
  rows: readonly (readonly (CellValue | null | undefined)[])[];
  /** Wraps long texts in all cells. */
  wrap?: boolean;
  /** Blank rows below the last one whose text columns are prepared as text. */
  extraRows?: number;
};

/** Drop-down lists reach this far down. */
const LAST_LISTED_ROW = 30_001;

/**
 * Writes a workbook: a frozen bold header row, then the rows. Every text is written as a string cell, so that nothing
 * in it can act as a formula, and one that looks like a formula keeps being text when it is edited in Excel. The
 * same input gives the same bytes.
 * @param names names defined in the workbook, with the formulas they stand for
 * @returns the bytes of an .xlsx file
 */
export async function writeWorkbook(
  sheets: readonly WrittenSheet[],
  names: Readonly<Record<string, string>> = {},
): Promise<Uint8Array> {
  return writeXlsx({
    sheets: sheets.map(toSheet),
    namedRanges: Object.entries(names).map(([name, range]) => ({ name, range })),
    properties: { created: FIXED_DATE, modified: FIXED_DATE },
  });
}

const FIXED_DATE = new Date(Date.UTC(2026, 0, 1));

function toSheet(sheet: WrittenSheet): WriteSheet {
  const lastRow = sheet.rows.length + (sheet.extraRows ?? 0);
  const rows = Array.from({ length: lastRow }, (_, index) => sheet.rows[index] ?? []);
  return {
    name: sheet.name,
    columns: sheet.columns.map(({ width }) => ({ width: width ?? 14 })),
    rows: [sheet.columns.map((column) => column.header), ...rows.map((row) => row.map(plainValue))],
    cells: styledCells(sheet, rows),
    freezePane: { rows: 1 },
    dataValidations: sheet.columns.flatMap(listFor),
    ...(sheet.state === "hidden" ? { hidden: true } : {}),
    ...(sheet.state === "veryHidden" ? { veryHidden: true } : {}),
  };
}

function styledCells(sheet: WrittenSheet, rows: WrittenSheet["rows"]): Map<string, Partial<Cell>> {
  const cells = new Map<string, Partial<Cell>>();
  sheet.columns.forEach((column, index) => cells.set(`0,${index}`, headerCell(column)));
  rows.forEach((row, rowIndex) => {
    sheet.columns.forEach((column, index) => {
      const style = styleOf(row[index], column, sheet);
      if (style) cells.set(`${rowIndex + 1},${index}`, { value: plainValue(row[index]), style });
    });
  });
  return cells;
}

function headerCell(column: WrittenColumn): Partial<Cell> {
  return {
    value: column.header,
    style: { font: { bold: true }, fill: { type: "pattern", pattern: "solid", fgColor: { rgb: "DDE7F3" } } },
    ...(column.note ? { comment: { text: column.note } } : {}),
  };
}

function styleOf(
  value: CellValue | null | undefined,
  column: WrittenColumn,
  sheet: WrittenSheet,
): CellStyle | undefined {
  const numFmt = formatOf(value) ?? (column.text ? "@" : undefined);
  if (numFmt === undefined && !sheet.wrap) return undefined;
  return {
    ...(sheet.wrap ? { alignment: { wrapText: true, vertical: "top" } } : {}),
    ...(numFmt === undefined ? {} : { numFmt }),
  };
}

function formatOf(value: CellValue | null | undefined): string | undefined {
  if (typeof value === "string") return /^[=+\-@\t\r]/.test(value) ? "@" : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (value.kind === "date") return value.seconds === 0 ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm:ss";
  return value.kind === "padded" && /^\d+$/.test(value.text) ? "0".repeat(value.text.length) : undefined;
}

function plainValue(value: CellValue | null | undefined): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== "object") return value;
  if (value.kind === "date") return dateToSerial(value);
  if (value.kind === "error") return value.code;
  return "number" in value ? value.number : null;
}

/** Excel takes at most 255 characters of choices; longer lists belong on a sheet. */
function listFor(column: WrittenColumn, index: number): DataValidation[] {
  const { choices, choicesIn } = column;
  if (!choices && !choicesIn) return [];
  const letters = columnName(index);
  return [
    {
      type: "list",
      ...(choices ? { values: [...choices] } : { formula1: choicesIn?.range ?? "" }),
      range: `${letters}2:${letters}${LAST_LISTED_ROW}`,
      allowBlank: true,
      showErrorMessage: true,
      errorStyle: "warning",
      errorTitle: column.header,
      errorMessage: choicesIn?.hint ?? `Choose one of: ${choices?.join(", ")}.`,
    },
  ];
}
