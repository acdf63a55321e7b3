import { serialToDate, showHours } from "../xlsx/serial-date.ts";
import type { CellValue, SheetRow } from "../xlsx/workbook.ts";
import { FIXED_DECIMALS, fixedToNumber, ONE, formatQty, numberToFixed, type Fixed } from "./amounts.ts";
import type { Table } from "./several-sheets.ts";
import type { Column } from "./headers.ts";
import { eightDigits, isoDate, readDateText, type DateOrder, type TextDate } from "./dates.ts";
import type { FieldRule } from "./define-sheet.ts";
import { currencyBeside, readNumberText, type DecimalComma } from "./numbers.ts";
import { isPlaceholder } from "./placeholders.ts";
import { problemAt, type Found, type Problem } from "./problem.ts";
import { withoutZero } from "./float-codes.ts";
import { cleanText, readText, showCell } from "./texts.ts";
import { showTime } from "./times.ts";

/**
 * A cell as read: `value` is null if the content cannot be used, and a problem says why. `exact` is the
 * cell's own number if it has more decimals than `value`; `currency` is the sign or code beside a number.
 * `isPercent`: a discount in percent.
 */
export type Read = {
  shown: string;
  value: string | Fixed | boolean | null;
  exact?: number;
  currency?: string;
  isPercent?: true;
};

/** One data row: the non-blank cells of known columns. */
export type ReadRow<F extends string = string> = {
  row: number;
  cells: Map<F, Read>;
  /** Columns of an additional line in the same row. */
  columns?: readonly Column<F>[];
};

export type CellRules = {
  /** Order of each date column; a table without dates needs none. */
  orders: ReadonlyMap<string, DateOrder>;
  decimalComma?: DecimalComma | undefined;
  latinOnly: boolean;
  /** Columns of codes that a program stored as numbers: "50011.0". */
  floatCodes?: ReadonlySet<string>;
};

/** Serial numbers accepted as dates although the cell has no date format: 1954 to 2119. */
const DATE_SERIALS = { min: 20_000, max: 80_000 };
const YEARS = { min: 1990, max: 2099 };

/** Reads every known cell of a row by the rule of its column and adds faults to `problems`. */
export function readRow<F extends string>(
  table: Pick<Table<F>, "kind" | "columns" | "date1904">,
  row: Pick<SheetRow, "number" | "cells">,
  { rules, problems }: { rules: CellRules; problems: Problem[] },
): ReadRow<F> {
  const cells = new Map<F, Read>();
  for (const { field, index } of table.columns) {
    const written = row.cells[index];
    if (written === undefined) continue;
    const isFloat = typeof written === "string" && rules.floatCodes?.has(field);
    const cell = isFloat ? withoutZero(written) : written;
    const note = (found: Found) =>
      problems.push(problemAt(table, { field, row: row.number }, { value: showCell(cell), ...found }));
    const order = rules.orders.get(field) ?? "unclear";
    const context = { field: table.kind.fields[field], order, date1904: table.date1904, rules, note };
    const value = readCell(cell, context);
    if (value === undefined) continue;
    const read = { shown: showCell(cell), value };
    const percent = context.field.type === "discount" && isPercent(cell) ? { isPercent: true as const } : {};
    cells.set(field, typeof value === "bigint" ? { ...read, ...aboutNumber(cell, value), ...percent } : read);
  }
  return { row: row.number, cells };
}

/** Reads a row and the additional lines in it, each as a separate row with the same number. */
export function readLines<F extends string>(
  table: Table<F>,
  row: Pick<SheetRow, "number" | "cells">,
  context: { rules: CellRules; problems: Problem[] },
): ReadRow<F>[] {
  const own = readRow(table, row, context);
  const further = table.furtherLines.flatMap((columns) => {
    const problems: Problem[] = [];
    const line = readRow({ ...table, columns }, row, { ...context, problems });
    context.problems.push(...problems.map(asFurther));
    return line.cells.size === 0 ? [] : [{ ...line, columns }];
  });
  const [next, ...rest] = further;
  const isBlankLine = ![...own.cells.keys()].some((field) => table.kind.fields[field].level === "row");
  if (!next || !isBlankLine) return [own, ...further];
  const cells = new Map([...own.cells, ...next.cells]);
  return [{ row: own.row, cells, columns: [...next.columns, ...table.columns] }, ...rest];
}

/**
 * A problem of an additional line: its field names a column of the first line, so no cell may be corrected
 * from it.
 */
export const asFurther = (problem: Problem): Problem => ({
  ...problem,
  params: { ...problem.params, isFurther: true },
});

type Context = {
  field: FieldRule;
  order: DateOrder;
  date1904: boolean;
  rules: CellRules;
  note: (found: Found) => void;
};

/** @returns undefined for a blank cell, null for one with a problem */
function readCell(cell: CellValue, context: Context): Read["value"] | undefined {
  const failure = typeof cell === "object" ? FORMULA_FAILURES[cell.kind] : undefined;
  if (failure) {
    context.note({ code: failure });
    return null;
  }
  if (typeof cell === "string") {
    const text = cleanText(cell);
    if (text === "") return undefined;
    if (isPlaceholder(text, context.field.type)) return readPlaceholder(context);
  }
  switch (context.field.type) {
    case "date":
      return readDate(cell, context);
    case "time":
      return showTime(cell);
    case "decimal":
      return readNumber(cell, FIXED_DECIMALS, context);
    case "money":
      return readNumber(cell, 2, context);
    case "charge":
      return isDash(cell) ? undefined : readCharge(cell, context);
    case "discount":
      if (isDash(cell)) return undefined;
      return isPercent(cell) ? readPercent(cell, context) : readCharge(cell, context);
    case "percent":
      return isDash(cell) ? undefined : readPercent(cell, context);
    case "yesno":
      return readYesNo(cell, context);
    default:
      return readText(cell, context);
  }
}

/** Reads a placeholder as blank, unless a blank cell would continue the record above. */
function readPlaceholder({ field, note }: Context): null | undefined {
  if (field.required !== true || field.level !== undefined) return undefined;
  note({ code: "required" });
  return null;
}

/** Problem codes for formulas without a readable value. */
const FORMULA_FAILURES: Readonly<Record<string, string>> = {
  error: "formula_error",
  no_value: "formula_without_value",
};

function readDate(cell: CellValue, { field, order, date1904, note }: Context): string | null {
  const read = dateIn(cell, order, date1904);
  if (read.kind === "none") {
    note(field.whyUnread?.(showCell(cell)) ?? { code: "not_a_date", params: { order } });
    return null;
  }
  const { iso } = read;
  if (read.kind === "either" && (order === "mixed" || order === "unclear")) {
    note({ code: "date_ambiguous", params: { date: iso, other: read.other, order } });
    return null;
  }
  const year = Number(iso.slice(0, 4));
  if (year < YEARS.min || year > YEARS.max) {
    note({ code: "date_out_of_range", params: { date: iso, order, ...YEARS } });
    return null;
  }
  if (typeof cell === "number" && cell <= DATE_SERIALS.max)
    note({ severity: "warning", code: "date_from_number", params: { date: iso } });
  return iso;
}

/** Reads the date in a cell. */
export function dateIn(cell: CellValue, order: DateOrder, date1904: boolean): TextDate {
  if (typeof cell === "string") return readDateText(cleanText(cell), order);
  const digits = typeof cell === "number" ? eightDigits(String(cell)) : undefined;
  if (digits) return digits;
  const isSerial = typeof cell === "number" && cell >= DATE_SERIALS.min && cell <= DATE_SERIALS.max;
  const date = isSerial ? serialToDate(cell, date1904) : cell;
  const isDate = typeof date === "object" && date.kind === "date";
  const iso = isDate ? isoDate(date.y, date.m, date.d) : undefined;
  return iso === undefined ? { kind: "none" } : { kind: "date", iso };
}

function readNumber(cell: CellValue, decimals: number, { rules, note }: Context): Fixed | null {
  const number = numberIn(cell);
  if (number !== undefined) {
    const value = numberToFixed(number, decimals);
    if (value === undefined) note({ code: "number_too_large", params: { number } });
    else if (typeof cell === "object" && cell.kind === "percent") note(fromPercent(cell.text, value));
    return value ?? null;
  }
  if (typeof cell !== "string") {
    note({ code: "not_a_number", params: partOfDayHint(cell) });
    return null;
  }
  const read = readNumberText(cleanText(cell), decimals, rules.decimalComma);
  if (read.ok) return read.value;
  note({ code: "not_a_number", params: read.why });
  return null;
}

/** Accounting formats display zero as a dash, with or without a currency sign. */
const isDash = (cell: CellValue) =>
  typeof cell === "string" && /^[$€£¥]?\s*[-\u2013\u2014]$/.test(cell.trim());

const isPercent = (cell: CellValue) =>
  typeof cell === "string"
    ? cell.trimEnd().endsWith("%")
    : typeof cell === "object" && cell.kind === "percent";

function readCharge(cell: CellValue, context: Context): Fixed | null {
  if (!isPercent(cell)) return readNumber(cell, 2, context);
  context.note({ code: "not_a_number", params: { hint: "percent" } });
  return null;
}

/**
 * Reads a percentage: 10% is 10. A number without the sign must not be below one unless it is zero, because
 * 0.1 may mean 10%.
 */
function readPercent(cell: CellValue, context: Context): Fixed | null {
  if (typeof cell === "object" && cell.kind === "percent")
    return readNumber(cell.number * 100, FIXED_DECIMALS, context);
  const value = readNumber(typeof cell === "string" ? cell.replace("%", "") : cell, FIXED_DECIMALS, context);
  const isFraction = value !== null && value > 0n && value < ONE;
  if (!isFraction || isPercent(cell)) return value;
  context.note({ code: "percent_unclear", params: { percent: formatQty(value * 100n) } });
  return null;
}

/** Describes a percentage where an amount is expected: a discount of 10% would be ten cents. */
const fromPercent = (shown: string, value: Fixed): Found => ({
  severity: "warning",
  code: "number_from_percent",
  params: { shown, number: formatQty(value) },
});

/**
 * Excel stores a time as a fraction of a day; if hours are likely meant, the problem includes their number.
 */
function partOfDayHint(cell: CellValue) {
  const days = partOfDay(cell);
  if (days === undefined) return { hint: typeof cell === "object" && cell.kind === "date" ? "date" : "none" };
  return { hint: "time", shown: showHours(days), hours: Number((days * 24).toFixed(2)) };
}

/** Returns the number in a cell, however its format displays it; undefined for times, which count days. */
function numberIn(cell: CellValue): number | undefined {
  if (typeof cell === "number") return cell;
  const isFigure = typeof cell === "object" && "number" in cell && cell.kind !== "time";
  return isFigure ? cell.number : undefined;
}

function partOfDay(cell: CellValue): number | undefined {
  if (typeof cell !== "object") return undefined;
  if (cell.kind === "time") return cell.number;
  return cell.kind === "date" && cell.y === 1899 ? cell.seconds / 86_400 : undefined;
}

function aboutNumber(cell: CellValue, value: Fixed): Pick<Read, "exact" | "currency"> {
  const number = numberIn(cell);
  const exact = number === undefined || fixedToNumber(value) === number ? {} : { exact: number };
  const currency = typeof cell === "string" ? currencyBeside(cell) : signIn(cell);
  return currency === undefined ? exact : { ...exact, currency };
}

const signIn = (cell: CellValue) =>
  typeof cell === "object" && cell.kind === "money" ? cell.sign : undefined;

function readYesNo(cell: CellValue, { note }: Context): boolean | null {
  const text = showCell(cell).trim().toLowerCase();
  if (["y", "yes", "true", "1", "x", "tax", "t", "taxable"].includes(text)) return true;
  if (["n", "no", "false", "0", "non", "nontaxable", "non-taxable", "exempt"].includes(text)) return false;
  note({ code: "not_yes_or_no" });
  return null;
}

/** Returns a text or date of a row; undefined if blank or unusable. */
export function cellText<F extends string>(row: ReadRow<F>, field: F): string | undefined {
  const value = row.cells.get(field)?.value;
  return typeof value === "string" ? value : undefined;
}

/** Returns a number of a row; undefined if blank or unusable. */
export function cellNumber<F extends string>(row: ReadRow<F>, field: F): Fixed | undefined {
  const value = row.cells.get(field)?.value;
  return typeof value === "bigint" ? value : undefined;
}

/** Returns a cell's number if it has more decimals than are kept; undefined otherwise. */
export const cellUnrounded = <F extends string>(row: ReadRow<F>, field: F): number | undefined =>
  row.cells.get(field)?.exact;
