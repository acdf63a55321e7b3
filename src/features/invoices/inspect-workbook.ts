import { WorkbookRefused } from "#formats/xlsx/refusals.ts";
import { openFile } from "#features/invoices/open-file.ts";
import type { ColumnChoice } from "#features/invoices/rules-headers.ts";
import { findTable } from "#features/invoices/rules-columns.ts";

/** The file's own name tells what it may be. */
export type ToInspect = { fileName: string; chosen: ReadonlyMap<string, ColumnChoice> };

/** What is known of a file before anything is checked against the books. */
export type Inspection = { dataRows: number };

/**
 * Says whether a file can be worked on at all; one with headers and nothing below them can, and has no results.
 * Runs in a thread of its own.
 * @throws WorkbookRefused when it is neither workbook nor text, over a limit, or does not use the template
 */
export function run(bytes: Uint8Array, { fileName, chosen }: ToInspect): Inspection {
  try {
    return { dataRows: findTable(openFile(bytes, fileName), chosen).rows.length };
  } catch (error) {
    if (error instanceof WorkbookRefused && error.code === "no_rows") return { dataRows: 0 };
    throw error;
  }
}
