import type { FileRefused } from "../facts.ts";
import type { CellDate } from "./serial-date.ts";
import type { SheetState } from "./workbook-parts.ts";

/** A whole number that its format shows with more than its digits: 1234 as "01234" or "INV-1234". */
export type PaddedNumber = { readonly kind: "padded"; readonly number: number; readonly text: string };
/** An amount of hours, which a workbook keeps as a part of a day: 0.5 as "12:00". */
export type HoursNumber = { readonly kind: "time"; readonly number: number; readonly text: string };
/** A number that its format shows as a percentage: 0.1 as "10%". */
export type PercentNumber = { readonly kind: "percent"; readonly number: number; readonly text: string };
/** A number that its format shows as money of a currency; `sign` is a sign or code other than the dollar's. */
export type MoneyNumber = {
  readonly kind: "money";
  readonly number: number;
  readonly sign: string;
  readonly text: string;
};
/** An error cell, `code` as Excel shows it: "#REF!", "#N/A". */
export type CellError = { readonly kind: "error"; readonly code: string };
/** A formula whose result was never stored; only Excel can work it out. */
export type NoValue = { readonly kind: "no_value" };

/** Numbers carry 15 significant digits, all that Excel shows. Of a formula it is the stored result. */
export type CellValue =
  | string
  | number
  | boolean
  | CellDate
  | PaddedNumber
  | HoursNumber
  | PercentNumber
  | MoneyNumber
  | CellError
  | NoValue;

/** `number` counts from 1 as in Excel; `cells[0]` is column A; blank cells are undefined. */
export type SheetRow = { number: number; hidden: boolean; cells: (CellValue | undefined)[] };

export type Sheet = {
  name: string;
  state: SheetState;
  /** Rows with at least one value, in order. */
  rows: SheetRow[];
  /** Columns hidden in Excel, counted from 0, in order. */
  hiddenColumns: number[];
  /** Merged ranges, "A1:B2"; only the first cell of one has a value. */
  merges: string[];
  /** Set when the sheet breaks a limit: then `rows` holds its first ten rows only, enough to know what sheet it is. */
  refused: FileRefused | null;
};

/** Very hidden sheets, which no user can see, are left out. */
export type Workbook = { sheets: Sheet[]; date1904: boolean };
