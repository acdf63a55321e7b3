import type { Params } from "../facts.ts";
import { shorten } from "../text/phrases.ts";

/** `info` and `warning` block nothing; with an `error` the record is not used. */
type Severity = "error" | "warning" | "info";

/**
 * A problem of a sheet as facts, which are stored, compared and counted. Sentences are written where they are
 * displayed, and never parsed.
 */
export type Problem = {
  /** Stable code of the rule, "customer_unknown". */
  code: string;
  severity: Severity;
  /** A field of the sheet's description; null if it concerns none. */
  field: string | null;
  /** Row number as in spreadsheets, starting at 1. */
  row: number;
  /** Column index, starting at 0; null if the sheet has no column for the field. */
  column: number | null;
  /** Content of the cell, at most 500 characters; empty for a blank cell. */
  value: string;
  params: Params;
};

/** Finding of a rule about one value, without its location. */
export type Found = { code: string; severity?: "warning"; value?: string; params?: Params };

/** Creates a warning about the sheet, its rows or an unknown column. */
export const remark = (
  code: string,
  row: number,
  about: Partial<Pick<Problem, "column" | "value" | "params">>,
): Problem => ({
  code,
  severity: "warning",
  field: null,
  row,
  column: null,
  value: "",
  params: {},
  ...about,
});

const MAX_VALUE = 500;

/** Truncates a cell for a problem: there may be one for each of 30,000 rows. */
export const shortValue = (text: string): string => shorten(text, MAX_VALUE);

/** Creates a problem of one field in one row; without a column for the field it belongs to the row. */
export function problemAt(
  table: { columns: readonly { field: string; index: number }[] },
  { field, row }: { field: string; row: number },
  { code, severity, value = "", params = {} }: Found,
): Problem {
  const column = table.columns.find((each) => each.field === field)?.index ?? null;
  return {
    code,
    severity: severity ?? "error",
    field,
    row,
    column,
    value: shortValue(value),
    params,
  };
}

/** Sorts by row, and within a row from left to right. */
export const inSheetOrder = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted((a, b) => a.row - b.row || (a.column ?? -1) - (b.column ?? -1));
