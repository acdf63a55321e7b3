import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { WorkbookRefused } from "#formats/xlsx/refusals.ts";
import type { ColumnChoice } from "#features/invoices/rules-headers.ts";
import { findTable } from "#features/invoices/rules-columns.ts";

/** What is known of a workbook before anything is checked against the books. */
export type Inspection = { dataRows: number };

/**
 * Says whether a workbook can be worked on at all; one with headers and nothing below them can, and has no results.
 * Runs in a thread of its own.
 * @throws WorkbookRefused when it is no workbook, over a limit, or does not use the template
 */
export function run(bytes: Uint8Array, chosen: ReadonlyMap<string, ColumnChoice>): Inspection {
  try {
    return { dataRows: findTable(readWorkbook(bytes), chosen).rows.length };
  } catch (error) {
    if (error instanceof WorkbookRefused && error.code === "no_rows") return { dataRows: 0 };
    throw error;
  }
}
