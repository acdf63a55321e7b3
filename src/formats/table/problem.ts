import type { Params } from "../facts.ts";
import { shorten } from "../text/phrases.ts";

/** `info` and `warning` stop nothing; with an `error` the record is not used. */
type Severity = "error" | "warning" | "info";

/**
 * A problem of a sheet as facts, which are stored, compared and counted. Sentences are made where they are shown; nothing
 * parses a sentence.
 */
export type Problem = {
  /** Stable name of the rule, "customer_unknown". */
  code: string;
  severity: Severity;
  /** A field of the sheet's description; null when it concerns none. */
  field: string | null;
  /** Number of the row as spreadsheets count, from 1. */
  row: number;
  /** Place of the column, from 0; null where the sheet has no column of the field. */
  column: number | null;
  /** Content of the cell, at most 500 characters; empty for a blank cell. */
  value: string;
  params: Params;
};

/** Finding of a rule about one value, before its place is known. */
export type Found = { code: string; severity?: "warning"; value?: string; params?: Params };

/** A warning about the sheet, its rows or an unknown column. */
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

/** Cuts a cell to what a problem keeps: there may be one for each of 30,000 rows. */
export const shortValue = (text: string): string => shorten(text, MAX_VALUE);

/** A problem of one field in one row; without a column of the field it belongs to the row. */
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

/** Sorts by row, and within each from left to right. */
export const inSheetOrder = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted((one, other) => one.row - other.row || (one.column ?? -1) - (other.column ?? -1));
