import { editDistance } from "../text/edit-distance.ts";
import { shorten } from "../text/phrases.ts";
import type { Sheet, SheetRow } from "../xlsx/workbook.ts";
import type { Column, ColumnChoices } from "./column.ts";
import type { SheetKind } from "./define-sheet.ts";
import { hasLetter, headerKey, headerText, isAddedHeader, isRowHeader } from "./header-text.ts";
import { findNumbered, sortLines, type NumberedColumn } from "./numbered-headers.ts";
import { remark, type Problem } from "./problem.ts";

export type { Column, ColumnChoices };

export type Headers<F extends string = string> = {
  row: number;
  columns: Column<F>[];
  doubles: { field: F; columns: Column<F>[] }[];
  /** Columns of additional lines in the same row: "Item 2", "Qty 2", "Rate 2". */
  furtherLines: Column<F>[][];
  /** Each entry lists alternative fields; one of them must be present. */
  missing: F[][];
  notes: Problem[];
  /** Columns whose headers match no field, and that no user ignored. */
  unmatched: { index: number; header: string }[];
  /** Columns that users ignored. */
  ignored: { index: number; header: string }[];
  /** Column beyond those of the sheet, whose lines all have a value that users chose. */
  answer?: Column<F> & { value: string };
};

/** The header row is among the first ten rows or, if these have no known columns, among the first fifty. */
const USUAL_HEADER_ROWS = 10;
export const LAST_HEADER_ROW = 50;

/** Minimum number of known columns that identify a header row by themselves. */
const MIN_KNOWN_COLUMNS = 2;

/**
 * Finds the header row: the one among the first rows with the most known columns. If no row has two, the
 * first with at least half as many names as the fullest row, because titles above it have fewer and data rows
 * may have one more. Used both for reading a sheet and for asking what its columns mean.
 * @param chosen meanings that users chose; they override the header's own meaning
 */
export function findHeaders<F extends string>(
  kind: SheetKind<F>,
  sheet: Sheet,
  chosen?: ColumnChoices,
): Headers<F> | undefined {
  const rows = sheet.rows.filter(({ number }) => number <= USUAL_HEADER_ROWS);
  const best = findKnown(kind, rows, chosen) ?? findKnown(kind, rowsBelow(sheet), chosen);
  if (best) return best;
  const fullest = Math.max(...rows.map(countNames));
  const first = rows.find((row) => countNames(row) >= Math.max(2, fullest / 2));
  return first && readHeaders(kind, first, chosen);
}

const rowsBelow = ({ rows }: Sheet) =>
  rows.filter(({ number }) => number > USUAL_HEADER_ROWS && number <= LAST_HEADER_ROW);

/** Finds the row with the most known columns. */
function findKnown<F extends string>(
  kind: SheetKind<F>,
  rows: readonly SheetRow[],
  chosen: ColumnChoices | undefined,
): Headers<F> | undefined {
  return rows
    .map((row) => readHeaders(kind, row, chosen))
    .filter(isKnown)
    .toSorted((a, b) => b.columns.length - a.columns.length || a.row - b.row)[0];
}

/** Whether the headers are certainly ours, though columns may be missing. */
export const isKnown = ({ columns }: Headers): boolean => columns.length >= MIN_KNOWN_COLUMNS;

/** Counts possible column names; numbers and dates are not names, even if a text file has them as text. */
const countNames = ({ cells }: SheetRow) => cells.filter((cell) => hasLetter(headerText(cell))).length;

/** Reads a row as the header row. */
export function readHeaders<F extends string>(
  kind: SheetKind<F>,
  row: SheetRow,
  chosen?: ColumnChoices,
): Headers<F> {
  const found: Column<F>[] = [];
  const numbered: NumberedColumn<F>[] = [];
  const weak: Column<F>[] = [];
  const unmatched: Headers["unmatched"] = [];
  const ignored: Headers["ignored"] = [];
  const doubtful = findDoubtful(kind, row);
  // Only a workbook of problem rows has our column of reasons.
  const isOfProblems = row.cells.some((cell) => isRowHeader(headerText(cell)));
  row.cells.forEach((cell, index) => {
    const header = headerText(cell);
    const key = headerKey(header);
    if (key === "") return;
    const field = doubtful.has(key) && !chosen?.has(key) ? undefined : findMeaning(kind, header, chosen);
    if (field === "ignore") {
      if (!isOfProblems || !isAddedHeader(header)) ignored.push({ index, header });
    } else if (field) found.push({ field, index, header });
    else {
      const maybe = doubtful.has(key) || chosen?.has(key) ? undefined : kind.weakFieldOfKey.get(key);
      const line = chosen?.has(key) ? undefined : findNumbered(kind, key, chosen);
      if (maybe) weak.push({ field: maybe, index, header });
      else if (line) numbered.push({ ...line, index, header });
      else unmatched.push({ index, header });
    }
  });
  const { firstLine, furtherLines, rest } = sortLines(kind, found, numbered);
  found.push(...firstLine);
  const strong = new Set(found.map(({ field }) => field));
  found.push(...weak.filter(({ field }) => !strong.has(field)));
  unmatched.push(...rest, ...weak.filter(({ field }) => strong.has(field)));
  const columns = found.filter(
    ({ field }, at) =>
      !kind.fields[field].control || found.findIndex((match) => match.field === field) === at,
  );
  const fields = new Set(columns.map((column) => column.field));
  const doubles = [...fields]
    .map((field) => ({ field, columns: columns.filter((column) => column.field === field) }))
    .filter((each) => each.columns.length > 1);
  const notes = unmatched.map((each) => ignoredColumn(kind, each, { row: row.number, fields }));
  const missing = missingFields(kind, fields);
  return { row: row.number, columns, doubles, furtherLines, missing, notes, unmatched, ignored };
}

/** Keys of the row's headers that mean something else because of other headers in the row. */
function findDoubtful({ doubtful = [] }: SheetKind, { cells }: SheetRow): ReadonlySet<string> {
  if (doubtful.length === 0) return new Set();
  const keys = cells.map((cell) => headerKey(headerText(cell)));
  const inDoubt = doubtful.filter(({ beside }) => keys.some((key) => beside.test(key)));
  return new Set(keys.filter((key) => inDoubt.some(({ headers }) => headers.test(key))));
}

/** Finds the field of a header, or "ignore"; undefined if unknown. */
export function findMeaning<F extends string>(
  kind: SheetKind<F>,
  header: string,
  chosen?: ColumnChoices,
): F | "ignore" | undefined {
  const key = headerKey(header);
  const choice = chosen?.get(key);
  if (choice !== undefined && isMeaning(kind, choice)) return choice;
  return kind.fieldOfKey.get(key) ?? (isAddedHeader(header) ? "ignore" : undefined);
}

/** Whether a choice is a valid column meaning for this kind of sheet. */
export const isMeaning = <F extends string>(kind: SheetKind<F>, choice: string): choice is F | "ignore" =>
  choice === "ignore" || Object.hasOwn(kind.fields, choice);

/** Lists required columns, each with the columns that together replace it. */
export function requiredFields<F extends string>({
  names,
  fields,
}: SheetKind<F>): { field: F; unless: F[] }[] {
  return names.flatMap((field) => {
    const { required } = fields[field];
    if (!required) return [];
    const standIns: readonly string[] = required === true ? [] : required.unless;
    return [{ field, unless: names.filter((each) => standIns.includes(each)) }];
  });
}

function missingFields<F extends string>(kind: SheetKind<F>, there: ReadonlySet<F>): F[][] {
  return requiredFields(kind).flatMap(({ field, unless }) => {
    if (there.has(field)) return [];
    const absent = unless.filter((each) => !there.has(each));
    if (absent.length === unless.length) return [[field]];
    return absent.length === 0 ? [] : [[...absent, field]];
  });
}

function ignoredColumn<F extends string>(
  { names, fields: rules, keyOfField, notTaken = {} }: SheetKind<F>,
  { index, header }: { index: number; header: string },
  { row, fields }: { row: number; fields: ReadonlySet<F> },
): Problem {
  const key = headerKey(header);
  const near = names
    .filter((field) => !fields.has(field))
    .find((field) => key.length > 3 && editDistance(key, keyOfField.get(field) ?? "", 2) <= 2);
  const known = Object.keys(notTaken).find((name) => notTaken[name]?.headers.test(key)) ?? null;
  const params = { near: near ? rules[near].header : null, known };
  return remark("column_ignored", row, { column: index, value: shorten(header), params });
}
