import { serialToDate, showHours } from "#formats/xlsx/serial-date.ts";
import type { CellValue, SheetRow } from "#formats/xlsx/workbook.ts";
import {
  FIXED_DECIMALS,
  fixedToNumber,
  formatQty,
  numberToFixed,
  type Fixed,
} from "#features/invoices/workbook/rules-amounts.ts";
import type { Table } from "#features/invoices/workbook/rules-columns.ts";
import { isoDate, readDateText, type DateOrder } from "#features/invoices/workbook/rules-dates.ts";
import { specOf, type Field } from "#features/invoices/workbook/rules-fields.ts";
import {
  currencyBeside,
  readNumberText,
  type DecimalComma,
} from "#features/invoices/workbook/rules-numbers.ts";
import { problemAt, quote, type Found, type Problem } from "#features/invoices/workbook/rules-problems.ts";
import { cleanText, readText, showCell } from "#features/invoices/workbook/rules-texts.ts";

/**
 * A cell as read: `value` is null when it holds something that cannot be used, which a problem then tells. `exact` is
 * the cell's own number when it has more decimals than `value`; `currency` the sign or code beside a number.
 */
export type Read = {
  shown: string;
  value: string | Fixed | boolean | null;
  exact?: number;
  currency?: string;
};

/** One data row: the non-blank cells of known columns. */
export type ReadRow = { row: number; cells: Map<Field, Read> };

export type CellRules = {
  orders: ReadonlyMap<Field, DateOrder>;
  decimalComma?: DecimalComma | undefined;
  latinOnly: boolean;
  date1904: boolean;
};

/** Days of serial numbers taken for dates although the cell has no date format: 1954 to 2119. */
const DATE_SERIALS = { min: 20_000, max: 80_000 };
const YEARS = { min: 1990, max: 2099 };

/** Reads every known cell of a row by the rule of its column; what is wrong goes to `problems`. */
export function readRow(
  table: Table,
  row: Pick<SheetRow, "number" | "cells">,
  { rules, problems }: { rules: CellRules; problems: Problem[] },
): ReadRow {
  const cells = new Map<Field, Read>();
  for (const { field, index } of table.columns) {
    const cell = row.cells[index];
    if (cell === undefined) continue;
    const note = (found: Found) =>
      problems.push(problemAt(table, { field, row: row.number }, { value: showCell(cell), ...found }));
    const value = readCell(cell, field, { rules, note });
    if (value !== undefined) cells.set(field, { shown: showCell(cell), value, ...aboutNumber(cell, value) });
  }
  return { row: row.number, cells };
}

type Context = { rules: CellRules; note: (found: Found) => void };

/** @returns undefined for a blank cell, null for one with a problem */
function readCell(cell: CellValue, field: Field, context: Context): Read["value"] | undefined {
  if (typeof cell === "object") {
    if (cell.kind === "error") {
      context.note({
        code: "formula_error",
        text: `The cell shows ${cell.code}. Repair the formula in Excel, or type the value.`,
      });
      return null;
    }
    if (cell.kind === "no_value") {
      context.note({
        code: "formula_without_value",
        text: "The formula has no saved result. Open the workbook in Excel, save it, and upload it again.",
      });
      return null;
    }
  }
  if (typeof cell === "string" && cleanText(cell) === "") return undefined;
  switch (specOf(field).kind) {
    case "date":
      return readDate(cell, field, context);
    case "decimal":
      return readNumber(cell, FIXED_DECIMALS, context);
    case "money":
      return readNumber(cell, 2, context);
    case "yesno":
      return readYesNo(cell, context);
    case "code":
    case "text":
      return readText(cell, field, context);
  }
}

function readDate(cell: CellValue, field: Field, { rules, note }: Context): string | null {
  const { header } = specOf(field);
  const order = rules.orders.get(field) ?? "unclear";
  const iso = isoOf(cell, { order, date1904: rules.date1904 });
  const shown = quote(showCell(cell));
  if (iso === undefined) {
    note({ code: "not_a_date", text: `${header} ${shown} is not a date. Write it as 2026-01-31.` });
    return null;
  }
  if ((order === "mixed" || order === "unclear") && typeof cell === "string") {
    const read = readDateText(cleanText(cell), order);
    if (read.kind === "either") {
      const [why, cure] =
        order === "mixed"
          ? ["the column holds dates of both kinds", ""]
          : ["no date of the file tells which", ", or upload the file again to be asked"];
      note({
        code: "date_ambiguous",
        text: `${header} ${shown} could be ${read.iso} or ${read.other}, and ${why}. Write it as ${read.iso}${cure}.`,
      });
      return null;
    }
  }
  const year = Number(iso.slice(0, 4));
  if (year < YEARS.min || year > YEARS.max) {
    note({
      code: "date_out_of_range",
      text: `${header} ${iso} is not between ${YEARS.min} and ${YEARS.max}. Correct the year.`,
    });
    return null;
  }
  if (typeof cell === "number") {
    note({
      severity: "warning",
      code: "date_from_number",
      text: `${header} ${cell} is a plain number; it is read as ${iso}. Format the column as a date.`,
    });
  }
  return iso;
}

function isoOf(
  cell: CellValue | undefined,
  { order, date1904 }: { order: DateOrder; date1904: boolean },
): string | undefined {
  if (typeof cell === "object" && cell.kind === "date") return isoDate(cell.y, cell.m, cell.d);
  if (typeof cell === "string") {
    const read = readDateText(cleanText(cell), order);
    return read.kind === "none" ? undefined : read.iso;
  }
  if (typeof cell !== "number" || cell < DATE_SERIALS.min || cell > DATE_SERIALS.max) return undefined;
  return isoOf(serialToDate(cell, date1904), { order, date1904 });
}

function readNumber(cell: CellValue, decimals: number, { rules, note }: Context): Fixed | null {
  const number = numberIn(cell);
  if (number !== undefined) {
    const value = numberToFixed(number, decimals);
    if (value !== undefined) {
      if (typeof cell === "object" && cell.kind === "percent") note(fromPercent(cell.text, value));
      return value;
    }
    note({
      code: "number_too_large",
      text: `${number} is too large. Write a number below 1,000,000,000,000.`,
    });
    return null;
  }
  if (typeof cell !== "string") {
    const days = partOfDay(cell);
    const text =
      days === undefined
        ? `${quote(showCell(cell))} is not a number. Write it as a plain number such as 1234.50.`
        : `${quote(showHours(days))} is a time, which Excel keeps as a part of a day. Write the hours as a plain number: ${Number((days * 24).toFixed(2))}.`;
    note({ code: "not_a_number", text });
    return null;
  }
  const read = readNumberText(cleanText(cell), decimals, rules.decimalComma);
  if (read.ok) return read.value;
  note({
    code: "not_a_number",
    text: `${quote(cell)} is not a number that can be read for certain. ${read.hint}`,
  });
  return null;
}

/** A discount of 10% would be ten cents of a dollar. */
const fromPercent = (shown: string, value: Fixed): Found => ({
  severity: "warning",
  code: "number_from_percent",
  text: `${quote(shown)} is a percentage; it is read as the number ${formatQty(value)}. Write the sum itself where a part of something is meant.`,
});

/** The number a cell holds, however its format shows it; undefined for times, which count days. */
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

function aboutNumber(cell: CellValue, value: Read["value"] | undefined): Pick<Read, "exact" | "currency"> {
  if (typeof value !== "bigint") return {};
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
  note({
    code: "not_yes_or_no",
    text: `Taxable ${quote(showCell(cell))} is neither yes nor no. Write Y or N.`,
  });
  return null;
}
