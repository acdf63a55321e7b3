import type { Cell, CellStyle, DataValidation, FillStyle, WriteSheet } from "hucre";
import { writeXlsx } from "hucre/xlsx";
import { columnName } from "./cell-names.ts";
import { dateToSerial } from "./serial-date.ts";
import type { CellValue } from "./workbook.ts";

export type WrittenColumn = {
  header: CellValue | undefined;
  /** Width in characters. */
  width?: number;
  /** Shown when hovering over the header. */
  note?: string;
  /** Later input stays text: leading zeros and long numbers survive. */
  text?: boolean;
  /** Wraps long texts. */
  wrap?: boolean;
  /** Values offered in a drop-down list; others are allowed with a warning. */
  choices?: readonly string[];
  /** Name of a range with the values of a drop-down list; others are allowed with the hint as a warning. */
  choicesIn?: { range: string; hint: string };
};

export type WrittenSheet = {
  name: string;
  state?: "hidden" | "veryHidden";
  columns: readonly WrittenColumn[];
  /** Excludes the header row, which comes from `columns`. */
  rows: readonly (readonly (CellValue | null | undefined)[])[];
  /** Number of blank rows below the last one whose text columns are formatted as text. */
  extraRows?: number;
  /** Adds filter buttons to the header row. */
  filter?: boolean;
  /** Cells of `rows` that are highlighted as wrong. */
  marks?: readonly Mark[];
};

/** A cell by its indexes in `rows` and `columns`; `comment` is shown when hovering over it. */
export type Mark = { row: number; column: number; comment?: string };

/** Last row with drop-down lists. */
const LAST_LISTED_ROW = 30_001;

/**
 * Writes a workbook: a frozen bold header row, then the rows. Every text is written as a string cell, so that
 * nothing in it can act as a formula, and text that looks like a formula stays text when edited in Excel. The
 * same input gives the same bytes.
 * @param names defined names of the workbook, with their formulas
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
  const { name, columns, state } = sheet;
  const blank = Array.from({ length: sheet.extraRows ?? 0 }, () => columns.map(() => null));
  const rows = [...sheet.rows.map((row) => row.map(plainValue)), ...blank];
  const lastCell = `${columnName(columns.length - 1)}${rows.length + 1}`;
  return {
    name,
    columns: columns.map((column) => {
      const style = columnStyle(column, sheet);
      return { width: column.width ?? 14, ...(style ? { style } : {}) };
    }),
    rows: [columns.map(({ header }) => plainValue(header)), ...rows],
    cells: specialCells(sheet),
    freezePane: { rows: 1 },
    dataValidations: columns.flatMap(listFor),
    ...(sheet.filter ? { autoFilter: { range: `A1:${lastCell}` } } : {}),
    ...(state === "hidden" ? { hidden: true } : {}),
    ...(state === "veryHidden" ? { veryHidden: true } : {}),
  };
}

function columnStyle({ text, wrap }: WrittenColumn, { columns }: WrittenSheet): CellStyle | undefined {
  const isTall = columns.some((column) => column.wrap);
  if (!text && !isTall) return undefined;
  return {
    ...(text ? { numFmt: "@" } : {}),
    ...(isTall ? { alignment: { vertical: "top", wrapText: wrap ?? false } } : {}),
  };
}

/** Cells that need more than a value in their column's style. */
function specialCells(sheet: WrittenSheet): Map<string, Partial<Cell>> {
  const cells = new Map<string, Partial<Cell>>();
  const styles = sheet.columns.map((column) => columnStyle(column, sheet));
  sheet.columns.forEach((column, index) => cells.set(`0,${index}`, headerCell(column)));
  sheet.rows.forEach((row, rowIndex) => {
    row.forEach((value, index) => {
      const numFmt = numberFormat(value);
      if (numFmt || isError(value)) cells.set(`${rowIndex + 1},${index}`, toCell(value, styles[index]));
    });
  });
  for (const { row, column, comment } of sheet.marks ?? []) {
    const { style, ...cell } = toCell(sheet.rows[row]?.[column], styles[column]);
    const note = comment === undefined ? {} : { comment: { text: plainText(comment) } };
    cells.set(`${row + 1},${column}`, { ...cell, style: { ...style, fill: WRONG }, ...note });
  }
  return cells;
}

const solidFill = (rgb: string): FillStyle => ({ type: "pattern", pattern: "solid", fgColor: { rgb } });
const HEADER = solidFill("DDE7F3");
const WRONG = solidFill("FFD9D6");

function headerCell({ header, wrap, note }: WrittenColumn): Partial<Cell> {
  const { style, ...cell } = toCell(header, wrap ? { alignment: { vertical: "top", wrapText: true } } : {});
  return {
    ...cell,
    style: { ...style, font: { bold: true }, fill: HEADER },
    ...(note ? { comment: { text: plainText(note) } } : {}),
  };
}

type Written = CellValue | null | undefined;

function toCell(value: Written, style: CellStyle = {}): Partial<Cell> {
  const numFmt = numberFormat(value);
  return {
    value: plainValue(value),
    ...(isError(value) ? { type: "error" } : {}),
    style: numFmt === undefined ? style : { ...style, numFmt },
  };
}

function numberFormat(value: Written): string | undefined {
  if (typeof value === "string") return /^[=+\-@\t\r]/.test(value) ? "@" : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (value.kind === "date") return value.seconds === 0 ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm:ss";
  return "format" in value ? value.format : undefined;
}

/** A formula without a result must not become a blank cell, which could mean something else. */
const isError = (value: Written): boolean =>
  typeof value === "object" && (value?.kind === "error" || value?.kind === "no_value");

function plainValue(value: Written): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return plainText(value);
  if (typeof value !== "object") return value;
  if (value.kind === "date") return dateToSerial(value);
  if (value.kind === "error") return value.code;
  return value.kind === "no_value" ? "#N/A" : value.number;
}

/**
 * Converts a text for a workbook: escapes text that Office would read as an escaped character, and two
 * characters that are invalid in XML but that the writer does not escape.
 */
export const plainText = (text: string): string =>
  text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replaceAll("\uFFFE", "_xFFFE_")
    .replaceAll("\uFFFF", "_xFFFF_");

/** Excel allows at most 255 characters of choices; longer lists belong on a sheet. */
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
      errorTitle: String(column.header),
      errorMessage: choicesIn?.hint ?? `Choose one of: ${choices?.join(", ")}.`,
    },
  ];
}
