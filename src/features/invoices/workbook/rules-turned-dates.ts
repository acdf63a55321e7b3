import { cellName } from "#formats/xlsx/cell-names.ts";
import { WorkbookRefused } from "#formats/xlsx/refusals.ts";
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
    if (specOf(column.field).kind !== "date") continue;
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

/** Texts that only the other order explains, real dates that both orders explain, and nothing else. */
function findTurned(table: Table, { index }: Column) {
  const texts: string[] = [];
  const turned: string[] = [];
  const place = { text: "", real: "" };
  for (const { number, cells } of table.rows) {
    const cell = cells[index];
    const at = () => `${quote(showCell(cell ?? ""))} in ${cellName(index, number)}`;
    if (typeof cell === "string" && /\d/.test(cell)) {
      const text = cleanText(cell);
      if (readDateText(text, "mdy").kind === "either") return undefined;
      if (provenOrder([text]) === undefined) continue;
      texts.push(text);
      place.text ||= at();
    } else if (typeof cell === "object" && cell.kind === "date") {
      if (cell.d > 12) return undefined;
      if (cell.d === cell.m) continue;
      turned.push(showCell(cell));
      place.real ||= at();
    }
  }
  const order = provenOrder(texts);
  const isLikely = texts.length >= 2 && new Set(turned).size >= 2 && texts.length * 2 >= turned.length;
  return isLikely && (order === "dmy" || order === "mdy") ? { ...place, order } : undefined;
}
