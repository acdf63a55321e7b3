import { dateIn, type CellRules } from "#formats/table/cells.ts";
import type { Table } from "#formats/table/columns.ts";
import { voteColumns } from "#formats/table/date-order.ts";
import type { DateOrder } from "#formats/table/dates.ts";
import { groupTable, isByRow } from "#formats/table/records.ts";
import { parseIsoDate } from "#formats/xlsx/serial-date.ts";
import type { CellValue } from "#formats/xlsx/workbook.ts";

/**
 * What to write for a date that means another day in another file: a text that only other dates of its file prove to be
 * month or day first, and a plain number that counts days from 1904. Undefined for all others.
 */
export function datesInContext(table: Table): (cell: CellValue, field: string) => CellValue | undefined {
  const orders = ordersOf(table);
  return (cell, field) => {
    const order = orders.get(field);
    if (order === undefined) return undefined;
    const read = dateIn(cell, order, table.date1904);
    if (read.kind === "either") return order === "mdy" || order === "dmy" ? read.iso : undefined;
    const isCount = table.date1904 && typeof cell === "number" && read.kind === "date";
    return isCount ? parseIsoDate(read.iso) : undefined;
  };
}

/**
 * Which record a row belongs to can hang on rows that are taken out: without a key, the row of another customer above
 * it begins one. Where rows that stay would come together into fewer records, those without a key get a text of the
 * field of the fallback key each, by row.
 * @param kept numbers of the rows that stay
 */
export function groupsInContext(table: Table, kept: ReadonlySet<number>): ReadonlyMap<number, string> {
  if (!table.kind.grouping || kept.size === table.rows.length) return new Map();
  const rules: CellRules = { orders: ordersOf(table), latinOnly: false };
  const before = groupTable(table, rules);
  const keyOf = new Map(before.flatMap(({ key, rows }) => rows.map((row) => [row, key] as const)));
  const after = groupTable({ ...table, rows: table.rows.filter(({ number }) => kept.has(number)) }, rules);
  const cameTogether = after.some(({ rows }) => new Set(rows.map((row) => keyOf.get(row))).size > 1);
  if (!cameTogether) return new Map();
  return new Map(
    before
      .filter(isByRow)
      .flatMap(({ rows }) =>
        rows.filter((row) => kept.has(row)).map((row) => [row, `Row ${rows[0]}`] as const),
      ),
  );
}

/** How each date column is read by what the file itself proves. */
const ordersOf = (table: Table): Map<string, DateOrder> =>
  new Map(voteColumns(table, null).map(({ field, order }) => [field, order]));
