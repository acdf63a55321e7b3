import { WorkbookRefused } from "#formats/xlsx/refusals.ts";
import type { WrittenOrder } from "#features/invoices/choices/contract.ts";
import { openFile } from "#features/invoices/workbook/open-file.ts";
import type { ColumnChoice } from "#features/invoices/workbook/rules-headers.ts";
import { findTable } from "#features/invoices/workbook/rules-columns.ts";
import { refuseUnclearDates } from "#features/invoices/workbook/rules-date-order.ts";
import { refuseTurnedDates } from "#features/invoices/workbook/rules-turned-dates.ts";

/** The file's own name tells what it may be; the rest is what people of the company said once. */
export type ToInspect = {
  fileName: string;
  chosen: ReadonlyMap<string, ColumnChoice>;
  dateOrder: WrittenOrder | null;
};

/** What is known of a file before anything is checked against the books. */
export type Inspection = { dataRows: number };

/**
 * Says whether a file can be worked on at all; one with headers and nothing below them can, and has no results.
 * Runs in a thread of its own.
 * @throws WorkbookRefused when it is neither workbook nor text, over a limit, does not use the template, or has dates
 *   that a person must say the order of first
 */
export function run(bytes: Uint8Array, { fileName, chosen, dateOrder }: ToInspect): Inspection {
  try {
    const table = findTable(openFile(bytes, fileName), chosen);
    refuseTurnedDates(table);
    refuseUnclearDates(table, dateOrder);
    return { dataRows: table.rows.length };
  } catch (error) {
    if (error instanceof WorkbookRefused && error.code === "no_rows") return { dataRows: 0 };
    throw error;
  }
}
