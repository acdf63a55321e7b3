import type { FileRefused } from "../facts.ts";
import type { CellDate } from "./serial-date.ts";
import type { SheetState } from "./workbook-parts.ts";

/**
 * A number that its format displays as more than its digits. `padded`: an integer such as "01234" or
 * "INV-1234"; `time`: hours, stored as a fraction of a day, 0.5 as "12:00"; `percent`: 0.1 as "10%"; `money`:
 * with a currency, whose `sign` is a sign or code other than the dollar's. `format` is the format code, for
 * writing it again.
 */
type ShownNumber = { readonly number: number; readonly text: string; readonly format: string } & (
  | { readonly kind: "padded" | "time" | "percent" }
  | { readonly kind: "money"; readonly sign: string }
);

/** Numbers have 15 significant digits, all that Excel shows. For a formula it is the stored result. */
export type CellValue =
  | string
  | number
  | boolean
  | CellDate
  | ShownNumber
  /** An error cell; `code` as Excel shows it: "#REF!", "#N/A". */
  | { readonly kind: "error"; readonly code: string }
  /** A formula whose result was never stored; only Excel can compute it. */
  | { readonly kind: "no_value" };

/** `number` starts at 1 as in Excel; `cells[0]` is column A; blank cells are undefined. */
export type SheetRow = { number: number; hidden: boolean; cells: (CellValue | undefined)[] };

export type Sheet = {
  name: string;
  state: SheetState;
  /** Rows with at least one value, in order. */
  rows: SheetRow[];
  /** Hidden columns by index starting at 0, in order. */
  hiddenColumns: number[];
  /** At most 10,000 merged ranges, "A1:B2"; only the first cell of each has a value. */
  merges: string[];
  /**
   * Set if the sheet exceeds a limit: then `rows` has only its first ten rows, enough to identify the sheet.
   */
  refused: FileRefused | null;
  /** A text file, in which a comma may divide a value. */
  isText?: true;
  /** Columns added while it was read, each with that of the file which it was formed of. */
  formedOf?: ReadonlyMap<number, number> | undefined;
};

/** Excludes very hidden sheets, which users cannot see. `names` as in `WorkbookParts`. */
export type Workbook = { sheets: Sheet[]; date1904: boolean; names: ReadonlyMap<string, string> };
