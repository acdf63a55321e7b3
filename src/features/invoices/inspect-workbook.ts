import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { findTable } from "#features/invoices/rules-columns.ts";

/** What is known of a workbook before anything is checked against the books. */
export type Inspection = { dataRows: number };

/**
 * Says whether a workbook can be worked on at all. Runs in a thread of its own.
 * @throws WorkbookRefused when it is no workbook, over a limit, or does not use the template
 */
export function run(bytes: Uint8Array): Inspection {
  return { dataRows: findTable(readWorkbook(bytes)).rows.length };
}
