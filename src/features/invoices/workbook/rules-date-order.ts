import { WorkbookRefused } from "#formats/xlsx/refusals.ts";
import type { WrittenOrder } from "#features/invoices/choices/contract.ts";
import { cleanText } from "#features/invoices/workbook/rules-texts.ts";
import type { Table } from "#features/invoices/workbook/rules-columns.ts";
import {
  provenOrder,
  readDateText,
  spellDate,
  type DateOrder,
} from "#features/invoices/workbook/rules-dates.ts";
import { specOf, type Field } from "#features/invoices/workbook/rules-fields.ts";
import type { Column } from "#features/invoices/workbook/rules-headers.ts";
import { problemAt, quote, type Problem } from "#features/invoices/workbook/rules-problems.ts";

/** How the dates of one column are read, and what a person is told of it. */
export type OrderVote = { field: Field; order: DateOrder; note?: Problem };

/**
 * How each date column is read: as its own dates prove, else as those of the file's other columns do, else as people of
 * the company said; never on a guess. A person is told once a column how its unclear dates are read.
 */
export function voteColumns(table: Table, remembered: WrittenOrder | null): OrderVote[] {
  return ordersOf(table, remembered).map(({ column, order, isRemembered, unclear }) => {
    const { field, header } = column;
    if (!unclear || order === "mixed" || order === "unclear") return { field, order };
    const written = order === "mdy" ? "month/day/year" : "day/month/year";
    const source = isRemembered ? ", as remembered for this company" : "";
    const text = `${header} ${quote(unclear.cell)} and others like it are read as ${written}${source}: ${spellDate(readings(unclear.cell)[order])}.`;
    const found = { severity: "warning", code: "date_order", value: unclear.cell, text } as const;
    return { field, order, note: problemAt(table, { field, row: unclear.row }, found) };
  });
}

/**
 * Refuses a file with dates that a person must say the order of first.
 * @throws WorkbookRefused code `date_order_unclear`, naming the first such date and both ways to read it
 */
export function refuseUnclearDates(table: Table, remembered: WrittenOrder | null): void {
  const found = ordersOf(table, remembered).find(({ order, unclear }) => order === "unclear" && unclear);
  if (!found?.unclear) return;
  const { column, unclear } = found;
  const { cell } = problemAt(table, { field: column.field, row: unclear.row }, { code: "", text: "" });
  const { mdy, dmy } = readings(unclear.cell);
  throw new WorkbookRefused(
    "date_order_unclear",
    `${column.header} ${quote(unclear.cell)} in ${cell} may be ${spellDate(mdy)} or ${spellDate(dmy)}, and no date of the file tells which. Say whether the month or the day comes first.`,
  );
}

type Unclear = { row: number; cell: string };
type Ordered = { column: Column; order: DateOrder; isRemembered: boolean; unclear: Unclear | undefined };

function ordersOf(table: Table, remembered: WrittenOrder | null): Ordered[] {
  const dates = table.columns.filter(({ field }) => specOf(field).kind === "date");
  const read = dates.map((column) => {
    const texts = textsOf(table, column);
    return { column, texts, proven: provenOrder(texts.map(({ cell }) => cell)) };
  });
  const [elsewhere, ...others] = new Set(read.flatMap(({ proven }) => proven ?? []));
  const ofFile = elsewhere !== "mixed" && others.length === 0 ? elsewhere : undefined;
  return read.map(({ column, texts, proven }) => {
    const told = proven ?? ofFile;
    const unclear = texts.find(({ cell }) => readDateText(cell, "mdy").kind === "either");
    return { column, order: told ?? remembered ?? "unclear", isRemembered: told === undefined, unclear };
  });
}

/** Each text of a column once, where it stands first: of 30,000 dates most are the same few. */
function textsOf(table: Table, { index }: Column): Unclear[] {
  const rowOf = new Map<string, number>();
  for (const { number, cells } of table.rows) {
    const cell = cells[index];
    if (typeof cell === "string" && !rowOf.has(cell)) rowOf.set(cell, number);
  }
  return [...rowOf].map(([cell, row]) => ({ row, cell: cleanText(cell) }));
}

function readings(text: string): Record<WrittenOrder, string> {
  const [mdy, dmy] = (["mdy", "dmy"] as const).map((order) => readDateText(text, order));
  return { mdy: isoOf(mdy), dmy: isoOf(dmy) };
}

const isoOf = (read: ReturnType<typeof readDateText> | undefined) =>
  read && read.kind !== "none" ? read.iso : "";
