import { lineCents } from "./line-amounts.ts";
import { toRanges } from "../text/phrases.ts";
import { sheetIndex } from "../text/sheet-rows.ts";
import { readRow, cellText, type CellRules, type Read, type ReadRow } from "./cells.ts";
import type { Table } from "./several-sheets.ts";
import type { SheetRow } from "../xlsx/workbook.ts";
import type { Column } from "./column.ts";
import type { Grouping } from "./define-sheet.ts";
import { problemAt, shortValue, type Problem } from "./problem.ts";

/** Rows of one record, in sheet order. `key` identifies it within the file, `name` is its key as written. */
export type RowGroup<F extends string> = { key: string; name: string | null; rows: ReadRow<F>[] };

/** The same with row numbers only: all rows of a large sheet would take 80 MB more. */
export type GroupOfRows = { key: string; name: string | null; rows: number[] };

type Rows<F extends string> = Pick<Table<F>, "kind"> & {
  columns: readonly Column<F>[];
  rows: readonly SheetRow[];
  date1904?: boolean;
};

/** Groups the rows of a table into records: see `groupRows`. */
export function groupTable<F extends string>(table: Rows<F>, rules: CellRules): GroupOfRows[] {
  const grouping = requireGrouping(table);
  const by = new Set<F>([grouping.key, grouping.fallbackKey, ...grouping.starts]);
  const columns = table.columns.filter(({ field }) => by.has(field));
  const { kind, date1904 = false } = table;
  const rows = table.rows.map((row) => readRow({ kind, date1904, columns }, row, { rules, problems: [] }));
  return groupRows(rows, grouping).map((group) => ({ ...group, rows: group.rows.map(({ row }) => row) }));
}

function requireGrouping<F extends string>({ kind }: Pick<Table<F>, "kind">): Grouping<F> {
  if (!kind.grouping) throw new Error(`Rows of ${kind.kind} are not grouped.`);
  return kind.grouping;
}

/**
 * Groups rows into records, in order of their first rows. Rows with the same key belong together, and so do
 * rows without a key but with the same fallback key. A row with neither continues the record above unless it
 * starts a new one.
 */
function groupRows<F extends string>(rows: readonly ReadRow<F>[], grouping: Grouping<F>): RowGroup<F>[] {
  const groups = new Map<string, RowGroup<F>>();
  let above: RowGroup<F> | undefined;
  for (const row of rows) {
    const key = recordKey(row, above, grouping);
    let group = groups.get(key);
    if (!group) {
      group = { key, name: cellText(row, grouping.key) ?? null, rows: [] };
      groups.set(key, group);
    }
    group.rows.push(row);
    above = group;
  }
  return [...groups.values()];
}

function recordKey<F extends string>(
  row: ReadRow<F>,
  above: RowGroup<F> | undefined,
  grouping: Grouping<F>,
): string {
  const key = row.cells.get(grouping.key);
  if (key) return key.value === null ? `unreadable:${key.shown}` : `number:${String(key.value)}`;
  const fallback = row.cells.get(grouping.fallbackKey);
  if (fallback) return `group:${fallback.shown}`;
  const goesOn = above !== undefined && isOnSameSheet(row, above) && !startsNew(row, above, grouping);
  return goesOn ? above.key : `${BY_ROW}${row.row}`;
}

/** A record without a key ends with its sheet. */
const isOnSameSheet = <F extends string>({ row }: ReadRow<F>, { rows }: RowGroup<F>): boolean =>
  sheetIndex(row) === sheetIndex(rows.at(-1)?.row ?? row);

const BY_ROW = "row:";

/** Whether a record is distinguished from others only by the position of its rows. */
export const isByRow = ({ key }: GroupOfRows): boolean => key.startsWith(BY_ROW);

/** Whether a row starts a new record; a blank value repeats the one above. */
function startsNew<F extends string>(
  row: ReadRow<F>,
  above: RowGroup<F>,
  { starts, alike }: Grouping<F>,
): boolean {
  return starts.some((field) => {
    const own = row.cells.get(field);
    if (own === undefined) return false;
    const before = findFirst(above, field)?.read;
    return before === undefined || !sameRead(own, before, alike);
  });
}

/** Finds the record's first row with a value in a field, and the value. */
export function findFirst<F extends string>(
  group: RowGroup<F>,
  field: F,
): { row: number; read: Read } | undefined {
  for (const { row, cells } of group.rows) {
    const read = cells.get(field);
    if (read) return { row, read };
  }
  return undefined;
}

/**
 * Reports later rows whose value differs from the record's first one, with both cells; equal values are fine.
 */
export function checkRepeated<F extends string>(table: Table<F>, group: RowGroup<F>, field: F): Problem[] {
  const first = findFirst(group, field);
  if (!first) return [];
  const { alike } = requireGrouping(table);
  const shown = shortValue(first.read.shown);
  const problems: Problem[] = [];
  for (const { row, cells } of group.rows) {
    const read = cells.get(field);
    if (!read || row === first.row || sameRead(read, first.read, alike)) continue;
    const params = {
      first: shown,
      firstRow: first.row,
      record: group.name,
      recordRow: group.rows[0]?.row ?? row,
    };
    problems.push(problemAt(table, { field, row }, { code: "values_differ", value: read.shown, params }));
  }
  return problems;
}

/**
 * Warns that the rows of one record are not adjacent; they are joined anyway.
 * @param rowAbove the data row above each data row
 */
export function warnScatteredRows<F extends string>(
  table: Table<F>,
  group: RowGroup<F>,
  rowAbove: ReadonlyMap<number, number>,
): Problem[] {
  const rows = [...new Set(group.rows.map(({ row }) => row))];
  const gap = rows.findIndex((row, index) => index > 0 && rowAbove.get(row) !== rows[index - 1]);
  const back = rows[gap];
  if (back === undefined) return [];
  const params = { rows: toRanges(rows) };
  return [
    problemAt(
      table,
      { field: requireGrouping(table).key, row: back },
      { severity: "warning", code: "lines_apart", value: group.name ?? "", params },
    ),
  ];
}

/**
 * Warns of rows of one record that agree in every cell, those of columns without a meaning included, and are all billed: a
 * row may have been copied by mistake. Not where a total of the record in the file counts both.
 * @param findRow a row with all its cells
 */
export function warnEqualRows<F extends string>(
  table: Table<F>,
  group: RowGroup<F>,
  findRow: (row: number) => SheetRow | undefined,
): Problem[] {
  const { fields } = table.kind;
  const numbers = [...new Set(group.rows.map(({ row }) => row))];
  const isProven = (field: string) =>
    fields[field as F].control === true && fields[field as F].level === undefined;
  if (numbers.length < 2 || group.rows.some(({ cells }) => [...cells.keys()].some(isProven))) return [];
  const billed = numbers.flatMap((row) => {
    const cells = findRow(row)?.cells ?? [];
    const cents = lineCents(table.columns, cells) ?? 0n;
    return cents === 0n ? [] : [{ row, cells, cents }];
  });
  // Rows of different amounts are not equal; comparing all cells of each would take a tenth of a check.
  const alike = [...Map.groupBy(billed, ({ cents }) => cents).values()]
    .filter(({ length }) => length > 1)
    .flat();
  return [...Map.groupBy(alike, ({ cells }) => JSON.stringify(cells)).values()].flatMap((those) => {
    const [, second] = those;
    if (!second) return [];
    const params = { rows: toRanges(those.map(({ row }) => row)) };
    const found = { severity: "warning", code: "rows_equal", params } as const;
    return [problemAt(table, { field: requireGrouping(table).key, row: second.row }, found)];
  });
}

/** Compares texts like names in lookups; everything else exactly. */
function sameRead(a: Read, b: Read, alike: (text: string) => string): boolean {
  if (a.value === null || b.value === null) return a.shown === b.shown;
  if (a.value === b.value) return true;
  if (typeof a.value !== "string" || typeof b.value !== "string") return false;
  return alike(a.value) === alike(b.value);
}
