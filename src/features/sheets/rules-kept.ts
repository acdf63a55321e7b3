import type { Table } from "#formats/table/columns.ts";
import { voteColumns } from "#formats/table/date-order.ts";
import { readDateText, type DateOrder } from "#formats/table/dates.ts";
import { cleanText } from "#formats/table/texts.ts";

/**
 * Dates of rows that stay as other dates of the file prove them to be meant, where by themselves they could be either:
 * texts by row, in it by column.
 */
export function datesToTell(table: Table, kept: ReadonlySet<number>): Map<number, Map<number, string>> {
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

/** How each date column is read by what the file itself proves. */
export const ordersOf = <F extends string>(table: Table<F>): Map<F, DateOrder> =>
  new Map(voteColumns(table, null).map(({ field, order }) => [field, order]));
