import { cellName } from "#formats/xlsx/cell-names.ts";
import { WorkbookRefused } from "#formats/xlsx/refusals.ts";
import type { CellDate } from "#formats/xlsx/serial-date.ts";
import type { CellValue } from "#formats/xlsx/workbook.ts";
import type { Column } from "#features/invoices/workbook/rules-headers.ts";
import type { Table } from "#features/invoices/workbook/rules-columns.ts";
import { provenOrder, readDateText } from "#features/invoices/workbook/rules-dates.ts";
import { specOf } from "#features/invoices/workbook/rules-fields.ts";
import { quote } from "#features/invoices/workbook/rules-problems.ts";
import { cleanText, showCell } from "#features/invoices/workbook/rules-texts.ts";

/**
 * Refuses a file in whose dates Excel has turned day and month round: opening text dates of the other order, it makes
 * real dates of those it can read, 01/02 among them, and leaves 13/02 as text. Nobody can tell later which were turned.
 * @throws WorkbookRefused code `dates_turned`, naming the column and one cell of each sort
 */
export function refuseTurnedDates(table: Table): void {
  for (const column of table.columns) {
    if (specOf(column.field).kind !== "date" || !holdsBoth(table, column)) continue;
    const found = findTurned(table, column);
    if (!found) continue;
    const { real, text, order } = found;
    const [written, read] = order === "dmy" ? ["day", "month"] : ["month", "day"];
    throw new WorkbookRefused(
      "dates_turned",
      `Excel seems to have turned day and month round in column ${quote(column.header)}: its dates with the ${written} first, such as ${text}, stayed text, and no real date in it, such as ${real}, has a day after the 12th. So Excel read the file with the ${read} first. Upload the file it came from as it was before Excel opened it, or write all dates of the column as 2026-01-31.`,
    );
  }
}

/** A cell of a date column: its text or date, and where it stands. */
type Seen = { cell: CellValue; shown: string; place: string };

/** In almost every file all dates of a column are real, or all of them are text. */
function holdsBoth({ rows }: Table, { index }: Column): boolean {
  return ["string", "object"].every((type) => rows.some(({ cells }) => typeof cells[index] === type));
}

/** Texts that only the other order explains, real dates that both orders explain, and nothing else. */
function findTurned(table: Table, column: Column) {
  const seen = cellsOf(table, column);
  const dates = seen.flatMap(({ cell, ...told }) => (isDate(cell) ? [{ ...told, ...cell }] : []));
  const texts = seen.filter(({ cell }) => typeof cell === "string");
  if (dates.length < 2 || texts.length < 2 || dates.some(({ d }) => d > 12)) return undefined;
  if (texts.some(({ shown }) => readDateText(shown, "mdy").kind === "either")) return undefined;
  const proofs = texts.filter(({ shown }) => provenOrder([shown]) !== undefined);
  const turned = dates.filter(({ d, m }) => d !== m);
  const order = provenOrder(proofs.map(({ shown }) => shown));
  if (!areMany(proofs, turned) || (order !== "dmy" && order !== "mdy")) return undefined;
  return { order, text: proofs[0]?.place ?? "", real: turned[0]?.place ?? "" };
}

/** Of any days of a year Excel turns two in five and leaves three as text. */
function areMany(proofs: readonly unknown[], turned: readonly { shown: string }[]): boolean {
  const differing = new Set(turned.map(({ shown }) => shown)).size;
  return proofs.length >= 2 && differing >= 2 && proofs.length * 2 >= turned.length;
}

function cellsOf(table: Table, { index }: Column): Seen[] {
  return table.rows.flatMap(({ number, cells }) => {
    const cell = cells[index];
    if (cell === undefined) return [];
    const shown = cleanText(showCell(cell));
    return [{ cell, shown, place: `${quote(shown)} in ${cellName(index, number)}` }];
  });
}

const isDate = (cell: CellValue): cell is CellDate => typeof cell === "object" && cell.kind === "date";
