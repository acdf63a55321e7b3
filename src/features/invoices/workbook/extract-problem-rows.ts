import { extractRows, type ProblemRows } from "#features/sheets/reading.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";

/** Extracts the rows of an uploaded file that were not posted. Runs in a worker thread. */
export const run = (bytes: Uint8Array, input: ProblemRows): Promise<Uint8Array> =>
  extractRows(invoiceSheet, bytes, input);
