import { toRanges } from "../text/phrases.ts";
import { columnName } from "../xlsx/cell-names.ts";
import type { Sheet, SheetRow } from "../xlsx/workbook.ts";
import { isBlank } from "./header-text.ts";
import type { Headers } from "./headers.ts";
import { remark, type Problem } from "./problem.ts";
import { findNameless } from "./row-words.ts";
import type { Params } from "../facts.ts";

/** `left`: rows that are not billed. */
type Parts = Record<"data" | "left" | "samples" | "repeats" | "totals" | "footers", readonly SheetRow[]>;

/** Collects the warnings about all rows; none of them blocks a record. */
export function warnAboutRows(sheet: Sheet, headers: Headers, parts: Parts): Problem[] {
  const { data, left, samples, repeats, totals, footers } = parts;
  const context = { sheet, headers };
  const known = inOrder([...data, ...left, ...repeats, ...totals, ...footers]);
  return [
    ...rowsAbove(context),
    ...warnRows("sample_rows", samples),
    ...warnRows("header_rows", repeats),
    ...warnRows("total_rows", totals),
    ...warnRows("footer_rows", footers).map((found) => ({ ...found, severity: "info" as const })),
    ...warnRows(
      "hidden_rows",
      data.filter((row) => row.hidden),
    ),
    ...hiddenColumns(context),
    ...namelessColumns(context, data),
    ...strayRows(context, known),
    ...blankRows(context, known),
    ...mergedCells(context),
  ];
}

const inOrder = (rows: readonly SheetRow[]) => rows.toSorted((a, b) => a.number - b.number);

type Context = { sheet: Sheet; headers: Headers };

/**
 * Reports data above the headers, which must not be lost silently; a title there is information, not a
 * warning.
 */
function rowsAbove({ sheet, headers }: Context): Problem[] {
  const rows = sheet.rows.filter((row) => row.number < headers.row && isNotBlank(row));
  const severity = rows.every(isTitle) ? "info" : "warning";
  return warnRows("rows_above_headers", rows, { headerRow: headers.row }).map((found) => ({
    ...found,
    severity,
  }));
}

/** Whether a row is one text that is neither a number nor a date. */
function isTitle({ cells }: SheetRow): boolean {
  const [only, ...others] = cells.filter((cell) => !isBlank(cell));
  return others.length === 0 && typeof only === "string" && /\p{L}{3}/u.test(only);
}

const isNotBlank = ({ cells }: SheetRow) => cells.some((cell) => !isBlank(cell));

function warnRows(code: string, rows: readonly SheetRow[], params: Params = {}): Problem[] {
  const [first] = rows;
  if (!first) return [];
  const ranges = toRanges(rows.map((row) => row.number));
  return [remark(code, first.number, { params: { ...params, count: rows.length, ranges } })];
}

function hiddenColumns({ sheet, headers }: Context): Problem[] {
  const hidden = headers.columns.filter(({ index }) => sheet.hiddenColumns.includes(index));
  if (hidden.length === 0) return [];
  const columns = hidden.map(({ index }) => columnName(index));
  const params = { columns, headers: hidden.map(({ header }) => header) };
  return [remark("hidden_columns", headers.row, { params })];
}

/** Reports values below an empty header cell, which belong to no column. */
function namelessColumns({ sheet, headers }: Context, data: readonly SheetRow[]): Problem[] {
  const header = sheet.rows.find(({ number }) => number === headers.row)?.cells ?? [];
  const columns = findNameless(data, header).map(columnName);
  if (columns.length === 0) return [];
  return [remark("nameless_columns", headers.row, { params: { columns } })];
}

function strayRows({ sheet, headers }: Context, data: readonly SheetRow[]): Problem[] {
  const known = new Set(data.map((row) => row.number));
  const stray = sheet.rows.filter(
    (row) => row.number > headers.row && !known.has(row.number) && isNotBlank(row),
  );
  return warnRows("stray_rows", stray);
}

/** A longer run of blank rows between data rows may be missing data. */
const LARGE_GAP = 200;

function blankRows({ headers }: Context, data: readonly SheetRow[]): Problem[] {
  let previous = headers.row;
  let largest = { size: 0, from: 0 };
  for (const row of data) {
    const size = row.number - previous - 1;
    if (size > largest.size) largest = { size, from: previous + 1 };
    previous = row.number;
  }
  if (largest.size <= LARGE_GAP) return [];
  return [remark("blank_rows", largest.from, { params: { largest: largest.size, from: largest.from } })];
}

function mergedCells({ sheet, headers }: Context): Problem[] {
  const ranges = sheet.merges.filter((range) => Number(/(?<!\d)\d+$/.exec(range)?.[0] ?? 0) > headers.row);
  const [first] = ranges;
  if (!first) return [];
  const row = Math.max(headers.row + 1, Number(/\d+/.exec(first)?.[0] ?? 1));
  return [remark("merged_cells", row, { params: { ranges: ranges.slice(0, 3), count: ranges.length } })];
}
