import type { CellValue, SheetRow } from "../xlsx/workbook.ts";
import { fixedToNumber, multiplyToCents, numberToFixed, toCents, type Fixed } from "./amounts.ts";
import type { Column } from "./column.ts";
import { isBlank } from "./header-text.ts";
import { readNumberText } from "./numbers.ts";
import { cleanText } from "./texts.ts";

/** Reads a number in any display form, rounded to five decimals: money, percentages, "5 pcs" by its format, "7.35/100". */
export function readNumber(cell: CellValue): Fixed | undefined {
  if (typeof cell === "number") return numberToFixed(cell, 5);
  if (typeof cell === "boolean") return undefined;
  if (typeof cell === "object")
    return "number" in cell && cell.kind !== "time" ? numberToFixed(cell.number, 5) : undefined;
  if (!/\d/.test(cell)) return undefined;
  const text = cleanText(cell).replace(/(?:%|\/\s*\d+)$/, "");
  const read = readNumberText(text, Infinity);
  return read.ok ? read.value : undefined;
}

/** Reads a number in a column without a meaning, where "00012" and "P-12" of a format are ids. */
export const readUnknown = (cell: CellValue): Fixed | undefined =>
  typeof cell === "object" && cell.kind === "padded" && !WITH_UNIT.test(cell.text)
    ? undefined
    : readNumber(cell);

/** "$12", "12 pcs" */
const WITH_UNIT = /^[^\p{L}\d]{0,2}(?!0\d)\d+\D*$/u;

type Cells = SheetRow["cells"];
type Columns = readonly Column[];

function readField(columns: Columns, cells: Cells, field: string): Fixed | undefined {
  const index = columns.find((column) => column.field === field)?.index;
  const cell = index === undefined ? undefined : cells[index];
  return cell === undefined || isBlank(cell) ? undefined : readNumber(cell);
}

export const ONE = numberToFixed(1, 5);

export const readQuantity = (columns: Columns, cells: Cells): Fixed | undefined =>
  readField(columns, cells, "qty");

export const readRate = (columns: Columns, cells: Cells): Fixed | undefined =>
  readField(columns, cells, "rate");

/** The amount of a row in its column. */
export function amountCents(columns: Columns, cells: Cells): bigint | undefined {
  const amount = readField(columns, cells, "amount");
  return amount === undefined ? undefined : toCents(amount);
}

/** The amount of a row: of its column, or quantity times rate. */
export function lineCents(columns: Columns, cells: Cells): bigint | undefined {
  const amount = amountCents(columns, cells);
  if (amount !== undefined) return amount;
  const [qty, rate] = [readQuantity(columns, cells), readRate(columns, cells)];
  return qty === undefined || rate === undefined ? undefined : multiplyToCents(qty, rate);
}

/** A number of a cell for a page: a percentage is a text, "10%", as the cell shows it; null for a cell without a number. */
export function plainNumber(cell: CellValue | undefined): number | string | null {
  if (cell === undefined || isBlank(cell)) return null;
  const value = readNumber(cell);
  if (value === undefined) return null;
  if (typeof cell === "object" && cell.kind === "percent") return `${fixedToNumber(value * 100n)}%`;
  return String(cell).trim().endsWith("%") ? `${fixedToNumber(value)}%` : fixedToNumber(value);
}
