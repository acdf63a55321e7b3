import { ordersOf } from "#features/sheets/reading.ts";
import type { CellRules } from "#formats/table/cells.ts";
import type { Table } from "#features/invoices/workbook/rules-table.ts";
import { groupTable, type GroupOfRows } from "#features/invoices/workbook/rules-invoices.ts";

/** Texts of a Group column, by row. */
export type GroupTexts = ReadonlyMap<number, string>;

/**
 * What a row means can hang on rows that are taken out: without a number, the row of another customer above it begins an
 * invoice. Where rows that stay would come together into fewer invoices, those without a number get a Group each.
 * @param kept numbers of the rows that stay
 */
export function groupsToTell(table: Table, kept: ReadonlySet<number>): GroupTexts {
  const rules: CellRules = { orders: ordersOf(table), latinOnly: false, date1904: table.date1904 };
  const before = groupTable(table, rules);
  const keyOf = new Map(before.flatMap(({ key, rows }) => rows.map((row) => [row, key] as const)));
  const after = groupTable({ ...table, rows: table.rows.filter(({ number }) => kept.has(number)) }, rules);
  const cameTogether = after.some(({ rows }) => new Set(rows.map((row) => keyOf.get(row))).size > 1);
  if (!cameTogether) return new Map();
  return new Map(
    before
      .filter(isNameless)
      .flatMap(({ rows }) =>
        rows.filter((row) => kept.has(row)).map((row) => [row, `Row ${rows[0]}`] as const),
      ),
  );
}

const isNameless = ({ key }: GroupOfRows) => key.startsWith("row:");
