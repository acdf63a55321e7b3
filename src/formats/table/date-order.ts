import { provenOrder, readDateText, type DateOrder, type WrittenOrder } from "./dates.ts";
import type { Complete } from "./candidates.ts";
import type { SheetKind } from "./define-sheet.ts";
import type { Column } from "./headers.ts";
import { cellIn, type Table } from "./several-sheets.ts";
import { problemAt, type Problem } from "./problem.ts";
import { FileRefused } from "../facts.ts";
import { cleanText, showCell } from "./texts.ts";
import type { CellDate } from "../xlsx/serial-date.ts";
import type { CellValue } from "../xlsx/workbook.ts";

/** Date order of one column, with a note for the user. */
export type OrderVote<F extends string = string> = { field: F; order: DateOrder; note?: Problem };

/**
 * Decides the order of each date column: by its own dates, else by the file's other columns, else by the
 * company's choice; never guesses. One note per column tells how its ambiguous dates are read.
 */
export function voteColumns<F extends string>(
  table: Table<F>,
  remembered: WrittenOrder | null,
): OrderVote<F>[] {
  return findOrders(table, remembered).map(({ column, order, isRemembered, unclear }) => {
    const { field, header } = column;
    if (!unclear || order === "mixed" || order === "unclear") return { field, order };
    const params = { header, order, isRemembered, date: readings(unclear.cell)[order] };
    const found = { severity: "warning", code: "date_order", value: unclear.cell, params } as const;
    return { field, order, note: problemAt(table, { field, row: unclear.row }, found) };
  });
}

/**
 * Refuses a file with dates whose order a user must choose first.
 * @throws FileRefused code `date_order_unclear`, with the first such date and both readings
 */
export function refuseUnclearDates(table: Table, remembered: WrittenOrder | null): void {
  const found = findOrders(table, remembered).find(({ order, unclear }) => order === "unclear" && unclear);
  if (!found?.unclear) return;
  const { column, unclear } = found;
  const cell = cellIn(table, column.index, unclear.row);
  const params = { header: column.header, value: unclear.cell, cell, ...readings(unclear.cell) };
  throw new FileRefused("date_order_unclear", params);
}

/** Order in which a date typed as a correction is read; null if the problem is not about a date. */
export function typedDateOrder({ params }: Problem): WrittenOrder | "unclear" | null {
  const order = params["order"];
  if (typeof order !== "string") return null;
  return order === "mdy" || order === "dmy" ? order : "unclear";
}

type Unclear = { row: number; cell: string };
type Ordered<F extends string> = {
  column: Column<F>;
  order: DateOrder;
  isRemembered: boolean;
  unclear: Unclear | undefined;
};

function findOrders<F extends string>(table: Table<F>, remembered: WrittenOrder | null): Ordered<F>[] {
  const dates = table.columns.filter(({ field }) => table.kind.fields[field].type === "date");
  const read = dates.map((column) => {
    const texts = distinctTexts(table.rows, column);
    const before = table.provenOrders.get(column.field);
    // Corrections may settle dates of both orders; they never change an order that the file proves.
    const isSettled = before !== undefined && before !== "mixed";
    const proven = isSettled ? before : (provenOrder(texts.map(({ cell }) => cell)) ?? before);
    return { column, texts, proven };
  });
  const [elsewhere, ...others] = new Set(read.flatMap(({ proven }) => proven ?? []));
  const fileOrder = elsewhere !== "mixed" && others.length === 0 ? elsewhere : undefined;
  return read.map(({ column, texts, proven }) => {
    const known = proven ?? fileOrder;
    const unclear = texts.find(({ cell }) => readDateText(cell, "mdy").kind === "either");
    return { column, order: known ?? remembered ?? "unclear", isRemembered: known === undefined, unclear };
  });
}

/**
 * Finds the orders that the dates of a file prove. Rows and sheets that are not billed count: which order a file has doesn't
 * depend on what is billed of it.
 */
export function proveOrders<F extends string>(
  { fields }: SheetKind<F>,
  sheets: readonly Complete<F>[],
): ReadonlyMap<F, DateOrder> {
  const columns = sheets.flatMap(({ sheet, headers }) => {
    const below = sheet.rows.filter(({ number }) => number > headers.row);
    return headers.columns
      .filter(({ field }) => fields[field].type === "date")
      .map((column) => ({ field: column.field, texts: distinctTexts(below, column) }));
  });
  return new Map(
    [...Map.groupBy(columns, ({ field }) => field)].flatMap(([field, those]) => {
      const order = provenOrder(those.flatMap(({ texts }) => texts.map(({ cell }) => cell)));
      return order === undefined ? [] : [[field, order] as const];
    }),
  );
}

/** Lists each distinct text of a column with its first cell: among 30,000 dates most are repeats. */
function distinctTexts(rows: Table["rows"], { index }: Column): Unclear[] {
  const firstRows = new Map<string, number>();
  for (const { number, cells } of rows) {
    const cell = cells[index];
    if (typeof cell === "string" && !firstRows.has(cell)) firstRows.set(cell, number);
  }
  return [...firstRows].map(([cell, row]) => ({ row, cell: cleanText(cell) }));
}

function readings(text: string): Record<WrittenOrder, string> {
  const isoBy = (order: WrittenOrder) => {
    const read = readDateText(text, order);
    return read.kind === "none" ? "" : read.iso;
  };
  return { mdy: isoBy("mdy"), dmy: isoBy("dmy") };
}

/**
 * Refuses a file in which Excel swapped day and month: when opening text dates in the other order, it
 * converts those it can read, such as 01/02, and leaves 13/02 as text. Afterwards it is impossible to tell
 * which were swapped.
 * @throws FileRefused code `dates_swapped`, with the column and one cell of each kind
 */
export function refuseSwappedDates(table: Table): void {
  for (const column of table.columns) {
    if (table.kind.fields[column.field]?.type !== "date" || !holdsBoth(table, column)) continue;
    const found = findTurned(table, column);
    if (!found) continue;
    throw new FileRefused("dates_swapped", { header: column.header, ...found });
  }
}

/** A cell of a date column: its text or date, and its location. */
type Seen = { cell: CellValue; shown: string; place: string };

/** In nearly every file all dates of a column are real dates, or all are text. */
function holdsBoth({ rows }: Table, { index }: Column): boolean {
  return ["string", "object"].every((type) => rows.some(({ cells }) => typeof cells[index] === type));
}

/**
 * Finds texts that only the other order explains, and real dates that both orders explain, if there is
 * nothing else.
 */
function findTurned(table: Table, column: Column) {
  const seen = readColumn(table, column);
  const dates = seen.flatMap(({ cell, ...place }) => (isDate(cell) ? [{ ...place, ...cell }] : []));
  const texts = seen.filter(({ cell }) => typeof cell === "string");
  if (dates.length < 2 || texts.length < 2 || dates.some(({ d }) => d > 12)) return undefined;
  if (texts.some(({ shown }) => readDateText(shown, "mdy").kind === "either")) return undefined;
  const proofs = texts.filter(({ shown }) => provenOrder([shown]) !== undefined);
  const swapped = dates.filter(({ d, m }) => d !== m);
  const order = provenOrder(proofs.map(({ shown }) => shown));
  if (!areMany(proofs, swapped) || (order !== "dmy" && order !== "mdy")) return undefined;
  const [text, real] = [proofs[0], swapped[0]];
  return (
    text && real && { order, text: text.shown, textCell: text.place, real: real.shown, realCell: real.place }
  );
}

/** Out of random days of a year, Excel swaps two in five and leaves three as text. */
function areMany(proofs: readonly unknown[], swapped: readonly { shown: string }[]): boolean {
  const differing = new Set(swapped.map(({ shown }) => shown)).size;
  return proofs.length >= 2 && differing >= 2 && proofs.length * 2 >= swapped.length;
}

function readColumn(table: Table, { index }: Column): Seen[] {
  return table.rows.flatMap(({ number, cells }) => {
    const cell = cells[index];
    if (cell === undefined) return [];
    return [{ cell, shown: cleanText(showCell(cell)), place: cellIn(table, index, number) }];
  });
}

const isDate = (cell: CellValue): cell is CellDate => typeof cell === "object" && cell.kind === "date";
