import { inspectColumns, type InspectedSheet, type ColumnsInput } from "#features/sheets/reading.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";

/** Reads the columns of an invoice sheet. Runs in a worker thread. */
export const run = (bytes: Uint8Array, input: ColumnsInput): InspectedSheet =>
  inspectColumns(invoiceSheet, bytes, input);
