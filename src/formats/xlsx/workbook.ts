import type { FileRefused } from "../facts.ts";
import type { CellDate } from "./serial-date.ts";
import type { SheetState } from "./workbook-parts.ts";

/**
 * A number that its format shows as more than its digits. `padded`: a whole one as "01234" or "INV-1234"; `time`: hours,
 * which a workbook keeps as a part of a day, 0.5 as "12:00"; `percent`: 0.1 as "10%"; `money`: of a currency, `sign` is
 * a sign or code other than the dollar's. `format` is the code of its format, with which it can be written again.
 */
type ShownNumber = { readonly number: number; readonly text: string; readonly format: string } & (
  | { readonly kind: "padded" | "time" | "percent" }
  | { readonly kind: "money"; readonly sign: string }
);

/** Numbers carry 15 significant digits, all that Excel shows. Of a formula it is the stored result. */
export type CellValue =
  | string
  | number
  | boolean
  | CellDate
  | ShownNumber
  /** An error cell, `code` as Excel shows it: "#REF!", "#N/A". */
  | { readonly kind: "error"; readonly code: string }
  /** A formula whose result was never stored; only Excel can work it out. */
  | { readonly kind: "no_value" };

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

/** Very hidden sheets, which no user can see, are left out. `names` as in `WorkbookParts`. */
export type Workbook = { sheets: Sheet[]; date1904: boolean; names: ReadonlyMap<string, string> };
