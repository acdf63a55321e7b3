import type { CellRules } from "#formats/table/cells.ts";
import type { Table } from "#formats/table/columns.ts";
import { voteColumns } from "#formats/table/date-order.ts";
import { readDateText, type DateOrder } from "#formats/table/dates.ts";
import { groupTable, isByRow } from "#formats/table/records.ts";
import { cleanText } from "#formats/table/texts.ts";

/**
 * Dates of rows that stay as other dates of the file prove them to be meant, where by themselves they could be either:
 * texts by row, in it by column.
 */
export function datesInContext(table: Table, kept: ReadonlySet<number>): Map<number, Map<number, string>> {
  const texts = new Map<number, Map<number, string>>();
  const orders = ordersOf(table);
  for (const { field, index } of table.columns) {
    const order = orders.get(field);
    if (order !== "mdy" && order !== "dmy") continue;
    for (const { number, cells } of table.rows) {
      const cell = cells[index];
      if (!kept.has(number) || typeof cell !== "string") continue;
      const read = readDateText(cleanText(cell), order);
      if (read.kind !== "either") continue;
      texts.set(number, (texts.get(number) ?? new Map<number, string>()).set(index, read.iso));
    }
  }
  return texts;
}

/**
 * Which record a row belongs to can hang on rows that are taken out: without a key, the row of another customer above
 * it begins one. Where rows that stay would come together into fewer records, those without a key get a text of the
 * field of the fallback key each, by row.
 * @param kept numbers of the rows that stay
 */
export function groupsInContext(table: Table, kept: ReadonlySet<number>): ReadonlyMap<number, string> {
  if (!table.kind.grouping) return new Map();
  const rules: CellRules = { orders: ordersOf(table), latinOnly: false, date1904: table.date1904 };
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
