import { voteColumns } from "#features/invoices/workbook/rules-date-order.ts";
import { readDateText } from "#features/invoices/workbook/rules-dates.ts";
import type { CellRules } from "#features/invoices/workbook/rules-cells.ts";
import type { Table } from "#features/invoices/workbook/rules-columns.ts";
import { cleanText } from "#features/invoices/workbook/rules-texts.ts";
import { groupTable, type GroupOfRows } from "#features/invoices/plan/rules-invoices.ts";

/** Texts of a Group column, by row. */
export type GroupTexts = ReadonlyMap<number, string>;

/**
 * What a row means can hang on rows that are taken out: without a number, the row of another customer above it begins an
 * invoice. Where rows that stay would come together into fewer invoices, those without a number get a Group each.
 * @param kept numbers of the rows that stay
 */
export function groupsToTell(table: Table, kept: ReadonlySet<number>): GroupTexts {
  const rules: CellRules = { ...rulesOf(table), latinOnly: false, date1904: table.date1904 };
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

/**
 * Dates of rows that stay as other dates of the file prove them to be meant, where by themselves they could be either:
 * texts by row, in it by column.
 */
export function datesToTell(table: Table, kept: ReadonlySet<number>): Map<number, Map<number, string>> {
  const texts = new Map<number, Map<number, string>>();
  const { orders } = rulesOf(table);
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

const rulesOf = (table: Table): Pick<CellRules, "orders"> => ({
  orders: new Map(voteColumns(table, null).map(({ field, order }) => [field, order])),
});
