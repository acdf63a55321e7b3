import { cellName } from "../xlsx/cell-names.ts";
import type { Table } from "./columns.ts";
import { provenOrder, readDateText, type DateOrder, type WrittenOrder } from "./dates.ts";
import type { Column } from "./headers.ts";
import { problemAt, type Problem } from "./problem.ts";
import { FileRefused } from "../facts.ts";
import { cleanText } from "./texts.ts";

/** How the dates of one column are read, and what a user must know of it. */
export type OrderVote<F extends string = string> = { field: F; order: DateOrder; note?: Problem };

/**
 * How each date column is read: as its own dates prove, else as those of the file's other columns do, else as users of
 * the company said; never on a guess. Once a column it is noted how its unclear dates are read.
 */
export function voteColumns<F extends string>(
  table: Table<F>,
  remembered: WrittenOrder | null,
): OrderVote<F>[] {
  return ordersOf(table, remembered).map(({ column, order, isRemembered, unclear }) => {
    const { field, header } = column;
    if (!unclear || order === "mixed" || order === "unclear") return { field, order };
    const params = { header, order, isRemembered, date: readings(unclear.cell)[order] };
    const found = { severity: "warning", code: "date_order", value: unclear.cell, params } as const;
    return { field, order, note: problemAt(table, { field, row: unclear.row }, found) };
  });
}

/**
 * Refuses a file with dates that a user must say the order of first.
 * @throws FileRefused code `date_order_unclear`, naming the first such date and both ways to read it
 */
export function refuseUnclearDates(table: Table, remembered: WrittenOrder | null): void {
  const found = ordersOf(table, remembered).find(({ order, unclear }) => order === "unclear" && unclear);
  if (!found?.unclear) return;
  const { column, unclear } = found;
  const cell = cellName(column.index, unclear.row);
  const params = { header: column.header, value: unclear.cell, cell, ...readings(unclear.cell) };
  throw new FileRefused("date_order_unclear", params);
}

type Unclear = { row: number; cell: string };
type Ordered<F extends string> = {
  column: Column<F>;
  order: DateOrder;
  isRemembered: boolean;
  unclear: Unclear | undefined;
};

function ordersOf<F extends string>(table: Table<F>, remembered: WrittenOrder | null): Ordered<F>[] {
  const dates = table.columns.filter(({ field }) => table.kind.fields[field].type === "date");
  const read = dates.map((column) => {
    const texts = textsOf(table, column);
    return { column, texts, proven: provenOrder(texts.map(({ cell }) => cell)) };
  });
  const [elsewhere, ...others] = new Set(read.flatMap(({ proven }) => proven ?? []));
  const ofFile = elsewhere !== "mixed" && others.length === 0 ? elsewhere : undefined;
  return read.map(({ column, texts, proven }) => {
    const known = proven ?? ofFile;
    const unclear = texts.find(({ cell }) => readDateText(cell, "mdy").kind === "either");
    return { column, order: known ?? remembered ?? "unclear", isRemembered: known === undefined, unclear };
  });
}

/** Each text of a column once, at its first cell: of 30,000 dates most are the same few. */
function textsOf(table: Table, { index }: Column): Unclear[] {
  const rowOf = new Map<string, number>();
  for (const { number, cells } of table.rows) {
    const cell = cells[index];
    if (typeof cell === "string" && !rowOf.has(cell)) rowOf.set(cell, number);
  }
  return [...rowOf].map(([cell, row]) => ({ row, cell: cleanText(cell) }));
}

function readings(text: string): Record<WrittenOrder, string> {
  const isoBy = (order: WrittenOrder) => {
    const read = readDateText(text, order);
    return read.kind === "none" ? "" : read.iso;
  };
  return { mdy: isoBy("mdy"), dmy: isoBy("dmy") };
}
