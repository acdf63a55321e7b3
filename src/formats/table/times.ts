import { showHours } from "../xlsx/serial-date.ts";
import type { CellValue, SheetRow } from "../xlsx/workbook.ts";
import { isDate, readClock } from "./dates.ts";
import type { SheetKind } from "./define-sheet.ts";
import { isBlank } from "./header-text.ts";
import { cleanText, showCell } from "./texts.ts";

/** The field of a time of day that starts a new record. */
export const timeField = <F extends string>({ grouping, fields }: SheetKind<F>): F | undefined =>
  grouping?.starts.find((field) => fields[field].type === "time");

/** A cell as users see it, with its time of day. */
export function showTime(cell: CellValue): string {
  const time = typeof cell === "object" ? readTime(cell) : undefined;
  const isDay = typeof cell === "object" && cell.kind === "date" && cell.y > NO_DAY;
  return time === undefined ? cleanText(showCell(cell)) : isDay ? `${showCell(cell)} ${time}` : time;
}

/** Whether every filled cell of a column is a time or a date, and one of them has a time of day. */
export function holdsTimes(rows: readonly SheetRow[], index: number): boolean {
  let isTimed = false;
  for (const { cells } of rows) {
    const cell = cells[index];
    if (cell === undefined || isBlank(cell)) continue;
    const time = readTime(cell);
    if (time === undefined && !isDate(cell)) return false;
    isTimed ||= time !== undefined;
  }
  return isTimed;
}

/** The year of a time without a day, as Excel stores it. */
const NO_DAY = 1899;

/** The time of day in a cell; undefined where it has none, or midnight of a day. */
export function readTime(cell: CellValue): string | undefined {
  if (typeof cell === "string") return readClock(cleanText(cell));
  if (typeof cell !== "object") return undefined;
  if (cell.kind === "time") return showHours(cell.number);
  if (cell.kind !== "date" || (cell.seconds === 0 && cell.y > NO_DAY)) return undefined;
  return showHours(cell.seconds / 86_400);
}
