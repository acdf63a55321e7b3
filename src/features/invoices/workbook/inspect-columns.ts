import { inspectColumns, type SeenSheet, type ColumnsInput } from "#features/sheets/reading.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";

/** The columns of a sheet of invoices. Runs in a thread of its own. */
export const run = (bytes: Uint8Array, input: ColumnsInput): SeenSheet =>
  inspectColumns(invoiceSheet, bytes, input);
