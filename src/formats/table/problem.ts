import { shorten } from "../text/phrases.ts";

/** `info` and `warning` stop nothing; with an `error` the record is not used. */
type Severity = "error" | "warning" | "info";

/** Plain values only: what a sentence says besides the place and the value. Names in camelCase. */
export type Params = Readonly<Record<string, Param>>;

type Param = string | number | boolean | null | readonly (string | number)[];

/**
 * Something a user must know about a sheet, as facts: it is stored, compared and counted. Sentences are made of it
 * where it is shown, and nothing reads a sentence.
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
  /** What stands in the cell, at most 500 characters; empty when nothing does. */
  value: string;
  params: Params;
};

/** What a rule finds about one value, before its place is known. */
export type Found = { code: string; severity?: "warning"; value?: string; params?: Params };

const MAX_VALUE = 500;

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
    value: shorten(value, MAX_VALUE),
    params,
  };
}

/** A file or sheet that cannot be used, as facts. */
export class SheetRefused extends Error {
  override name = "SheetRefused";
  readonly code: string;
  readonly params: Params;
  constructor(code: string, params: Params = {}) {
    super(`${code} ${JSON.stringify(params)}`);
    this.code = code;
    this.params = params;
  }
}

/** A text of the parameters, empty when it is none. */
export const textParam = (params: Params, name: string): string => {
  const value = params[name];
  return typeof value === "string" ? value : "";
};

/** A number of the parameters, 0 when it is none. */
export const numberParam = (params: Params, name: string): number => {
  const value = params[name];
  return typeof value === "number" ? value : 0;
};

/** A list of the parameters as texts. */
export const listParam = (params: Params, name: string): string[] => {
  const value = params[name];
  return Array.isArray(value) ? value.map(String) : [];
};
