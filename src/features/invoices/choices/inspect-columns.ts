import { columnName } from "#formats/xlsx/cell-names.ts";
import { WorkbookRefused } from "#formats/xlsx/refusals.ts";
import type { Sheet, SheetRow } from "#formats/xlsx/workbook.ts";
import type { SeenColumn } from "#features/invoices/choices/contract.ts";
import { openFile } from "#features/invoices/workbook/open-file.ts";
import type { ToInspect } from "#features/invoices/workbook/inspect-workbook.ts";
import { showCell } from "#features/invoices/workbook/rules-texts.ts";
import {
  fieldOfHeader,
  headerKey,
  headerText,
  type ColumnChoice,
} from "#features/invoices/workbook/rules-headers.ts";

/** The columns of the sheet that looks most like invoices, and what each would mean. */
export type SeenColumns = { sheet: string; header_row: number; columns: SeenColumn[] };

export type ToSee = Omit<ToInspect, "dateOrder">;

const LAST_HEADER_ROW = 10;
const SAMPLES = 3;

/** Looks at the columns of a workbook; the header row is the one with the most texts. Runs in a thread of its own. */
export function run(bytes: Uint8Array, { fileName, chosen }: ToSee): SeenColumns {
  const sheets = openFile(bytes, fileName).sheets.filter(
    ({ state, rows }) => state === "visible" && rows.length > 0,
  );
  const seen = sheets.flatMap((sheet) => seenOn(sheet, chosen) ?? []);
  const [best] = seen.toSorted(
    (one, other) => known(other) - known(one) || other.columns.length - one.columns.length,
  );
  if (best) return best;
  throw new WorkbookRefused(
    "template_mismatch",
    "No sheet of the workbook has a row of column headers in its first ten rows.",
  );
}

const known = ({ columns }: SeenColumns) => columns.filter(({ field }) => field !== null).length;

function seenOn(sheet: Sheet, chosen: ReadonlyMap<string, ColumnChoice>): SeenColumns | null {
  const texts = (row: SheetRow) => row.cells.filter((cell) => headerText(cell) !== "").length;
  const [header] = sheet.rows
    .filter(({ number }) => number <= LAST_HEADER_ROW)
    .toSorted((one, other) => texts(other) - texts(one) || one.number - other.number);
  if (!header || texts(header) < 2) return null;
  const below = sheet.rows.filter(({ number }) => number > header.number);
  const columns = header.cells.flatMap((cell, index): SeenColumn[] => {
    const text = headerText(cell);
    if (text === "") return [];
    const samples = below
      .flatMap(({ cells }) => cells[index] ?? [])
      .slice(0, SAMPLES)
      .map(showCell);
    const field = chosen.get(headerKey(text)) ?? fieldOfHeader(text) ?? null;
    return [{ header: text, column: columnName(index), samples, field }];
  });
  return { sheet: sheet.name, header_row: header.number, columns };
}
