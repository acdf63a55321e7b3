import { problemAt, type Problem } from "#formats/table/problem.ts";
import { rangesOf } from "#formats/text/phrases.ts";
import type { Field } from "#features/invoices/workbook/rules-sheet.ts";
import type { Table } from "#features/invoices/workbook/rules-table.ts";
import { readRow, type CellRules, type Read } from "#formats/table/cells.ts";
import type { ReadRow } from "#features/invoices/workbook/rules-table.ts";
import { looseName } from "#integrations/intuit/loose-name.ts";

/** The rows of one invoice, in the order of the sheet. `key` names it within the file. */
export type RowGroup = { key: string; docNumber: string | null; rows: ReadRow[] };

/** The same with the numbers of its rows only: all of a large sheet read in full would fill 80 MB more. */
export type GroupOfRows = Pick<RowGroup, "key" | "docNumber"> & { rows: number[] };

/** What decides which rows are one invoice. */
const GROUPING: ReadonlySet<Field> = new Set(["invoiceNo", "group", "customer", "invoiceDate"]);

/** Which rows of a table are one invoice: see `groupRows`. */
export function groupTable(table: Table, rules: CellRules): GroupOfRows[] {
  const columns = table.columns.filter(({ field }) => GROUPING.has(field));
  const rows = table.rows.map((row) => readRow({ ...table, columns }, row, { rules, problems: [] }));
  return groupRows(rows).map((group) => ({ ...group, rows: group.rows.map(({ row }) => row) }));
}

/**
 * Puts rows together into invoices, in order of their first rows; every row belongs to exactly one. Rows of one number
 * belong together wherever they stand, and so do rows without a number but with one Group value. A row with neither
 * goes on with the invoice above it unless it names another customer or date.
 */
export function groupRows(rows: readonly ReadRow[]): RowGroup[] {
  const groups = new Map<string, RowGroup>();
  let above: RowGroup | undefined;
  for (const row of rows) {
    const key = keyOf(row, above);
    let group = groups.get(key);
    if (!group) {
      group = { key, docNumber: textOf(row, "invoiceNo") ?? null, rows: [] };
      groups.set(key, group);
    }
    group.rows.push(row);
    above = group;
  }
  return [...groups.values()];
}

function keyOf(row: ReadRow, above: RowGroup | undefined): string {
  const number = row.cells.get("invoiceNo");
  if (number) return number.value === null ? `unreadable:${number.shown}` : `number:${String(number.value)}`;
  const group = row.cells.get("group");
  if (group) return `group:${group.shown}`;
  return above && !startsNew(row, above) ? above.key : `row:${row.row}`;
}

/** A blank customer or date repeats the one above. */
function startsNew(row: ReadRow, above: RowGroup): boolean {
  return (["customer", "invoiceDate"] as const).some((field) => {
    const own = row.cells.get(field);
    const before = firstOf(above, field)?.read;
    return own !== undefined && (before === undefined || !sameRead(own, before));
  });
}

/** The first row of the invoice that fills a field, with what it says. */
export function firstOf(group: RowGroup, field: Field): { row: number; read: Read } | undefined {
  for (const { row, cells } of group.rows) {
    const read = cells.get(field);
    if (read) return { row, read };
  }
  return undefined;
}

/** An invoice value may stand on one line or be repeated; another one on a later line is an error that names both cells. */
export function checkRepeated(table: Table, group: RowGroup, field: Field): Problem[] {
  const first = firstOf(group, field);
  if (!first) return [];
  const problems: Problem[] = [];
  for (const { row, cells } of group.rows) {
    const read = cells.get(field);
    if (!read || row === first.row || sameRead(read, first.read)) continue;
    const params = {
      first: first.read.shown,
      firstRow: first.row,
      docNumber: group.docNumber,
      invoiceRow: group.rows[0]?.row ?? row,
    };
    problems.push(problemAt(table, { field, row }, { code: "values_differ", value: read.shown, params }));
  }
  return problems;
}

/**
 * Lines of one invoice that stand apart are put together; a person should know.
 * @param rowAbove the data row above each data row
 */
export function remarkOnApart(
  table: Table,
  group: RowGroup,
  rowAbove: ReadonlyMap<number, number>,
): Problem[] {
  const rows = group.rows.map(({ row }) => row);
  const place = rows.findIndex((row, index) => index > 0 && rowAbove.get(row) !== rows[index - 1]);
  const back = rows[place];
  if (back === undefined) return [];
  const twin = group.rows.slice(0, place).find((row) => saysTheSame(row, group.rows[place]));
  const params = { rows: rangesOf(rows), twin: twin?.row ?? null };
  return [
    problemAt(
      table,
      { field: "invoiceNo", row: back },
      { severity: "warning", code: "lines_apart", value: group.docNumber ?? "", params },
    ),
  ];
}

function saysTheSame(one: ReadRow, other: ReadRow | undefined): boolean {
  if (one.cells.size !== other?.cells.size) return false;
  return [...one.cells].every(([field, { shown }]) => other.cells.get(field)?.shown === shown);
}

/** Texts compare without regard to case and spacing, as names are looked up; all else exactly. */
function sameRead(one: Read, other: Read): boolean {
  if (one.value === null || other.value === null) return one.shown === other.shown;
  if (typeof one.value === "string" && typeof other.value === "string")
    return looseName(one.value) === looseName(other.value);
  return one.value === other.value;
}

/** A text or date of a row; undefined when blank or unusable. */
export function textOf(row: ReadRow, field: Field): string | undefined {
  const value = row.cells.get(field)?.value;
  return typeof value === "string" ? value : undefined;
}

/** The number of a cell with more decimals than QuickBooks keeps; undefined for all others. */
export const unroundedOf = (row: ReadRow, field: Field): number | undefined => row.cells.get(field)?.exact;

/** A number of a row; undefined when blank or unusable. */
export function numberOf(row: ReadRow, field: Field): bigint | undefined {
  const value = row.cells.get(field)?.value;
  return typeof value === "bigint" ? value : undefined;
}
