import { cellName } from "../xlsx/cell-names.ts";
import type { CellDate } from "../xlsx/serial-date.ts";
import type { CellValue } from "../xlsx/workbook.ts";
import type { Table } from "./columns.ts";
import { provenOrder, readDateText } from "./dates.ts";
import type { Column } from "./headers.ts";
import { FileRefused } from "../facts.ts";
import { cleanText, showCell } from "./texts.ts";

/**
 * Refuses a file in whose dates Excel has swapped day and month: opening text dates of the other order, it makes
 * real dates of those it can read, 01/02 among them, and leaves 13/02 as text. Nobody can see later which were swapped.
 * @throws FileRefused code `dates_swapped`, naming the column and one cell of each sort
 */
export function refuseSwappedDates(table: Table): void {
  for (const column of table.columns) {
    if (table.kind.fields[column.field]?.type !== "date" || !holdsBoth(table, column)) continue;
    const found = findTurned(table, column);
    if (!found) continue;
    throw new FileRefused("dates_swapped", { header: column.header, ...found });
  }
}

/** A cell of a date column: its text or date, and its place. */
type Seen = { cell: CellValue; shown: string; place: string };

/** In almost every file all dates of a column are real, or all of them are text. */
function holdsBoth({ rows }: Table, { index }: Column): boolean {
  return ["string", "object"].every((type) => rows.some(({ cells }) => typeof cells[index] === type));
}

/** Texts that only the other order explains, real dates that both orders explain, and nothing else. */
function findTurned(table: Table, column: Column) {
  const seen = cellsOf(table, column);
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

/** Of any days of a year Excel turns two in five and leaves three as text. */
function areMany(proofs: readonly unknown[], swapped: readonly { shown: string }[]): boolean {
  const differing = new Set(swapped.map(({ shown }) => shown)).size;
  return proofs.length >= 2 && differing >= 2 && proofs.length * 2 >= swapped.length;
}

function cellsOf(table: Table, { index }: Column): Seen[] {
  return table.rows.flatMap(({ number, cells }) => {
    const cell = cells[index];
    if (cell === undefined) return [];
    return [{ cell, shown: cleanText(showCell(cell)), place: cellName(index, number) }];
  });
}

const isDate = (cell: CellValue): cell is CellDate => typeof cell === "object" && cell.kind === "date";
