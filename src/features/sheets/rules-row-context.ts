import type { CellRules } from "#formats/table/cells.ts";
import type { Table } from "#formats/table/columns.ts";
import { voteColumns } from "#formats/table/date-order.ts";
import { readDateText, type DateOrder } from "#formats/table/dates.ts";
import { groupTable, isByRow } from "#formats/table/records.ts";
import { cleanText } from "#formats/table/texts.ts";

/** Dates of rows that stay as other dates of the file prove them to be meant, where by themselves they could be either. */
export function datesInContext(
  table: Table,
  kept: ReadonlySet<number>,
): { row: number; column: number; text: string }[] {
  if (kept.size === table.rows.length) return [];
  const orders = ordersOf(table);
  const rows = table.rows.filter(({ number }) => kept.has(number));
  return table.columns.flatMap(({ field, index: column }) => {
    const order = orders.get(field);
    if (order !== "mdy" && order !== "dmy") return [];
    return rows.flatMap(({ number: row, cells }) => {
      const cell = cells[column];
      const read = typeof cell === "string" ? readDateText(cleanText(cell), order) : undefined;
      return read?.kind === "either" ? [{ row, column, text: read.iso }] : [];
    });
  });
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
