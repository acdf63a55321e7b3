import { findTable } from "#formats/table/columns.ts";
import { refuseUnclearDates } from "#formats/table/date-order.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import { FileRefused } from "#formats/facts.ts";
import { refuseSwappedDates } from "#formats/table/swapped-dates.ts";
import type { WrittenOrder } from "#features/sheets/contract.ts";
import { openFile } from "#features/sheets/open-file.ts";

/** The file's name says what it may be; the rest is what users of the company said once. */
export type ToInspect = {
  fileName: string;
  chosen: ColumnChoices;
  dateOrder: WrittenOrder | null;
};

/** What is known of a file before its values are checked. */
export type Inspection = { dataRows: number };

/**
 * Says whether a file can be worked on at all; one with headers and nothing below them can, and has no results.
 * To be run in a thread of its own.
 * @throws FileRefused when it is neither workbook nor text, over a limit, does not use the template, or has dates
 *   that a user must say the order of first
 */
export function inspectSheet(
  kind: SheetKind,
  bytes: Uint8Array,
  { fileName, chosen, dateOrder }: ToInspect,
): Inspection {
  try {
    const table = findTable(kind, openFile(bytes, fileName), chosen);
    refuseSwappedDates(table);
    refuseUnclearDates(table, dateOrder);
    return { dataRows: table.rows.length };
  } catch (error) {
    if (error instanceof FileRefused && error.code === "no_rows") return { dataRows: 0 };
    throw error;
  }
}
