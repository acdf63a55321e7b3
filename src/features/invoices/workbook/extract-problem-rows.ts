import { extractRows, type ProblemRows } from "#features/sheets/reading.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";

/** The rows of an uploaded file that were not posted. Runs in a thread of its own. */
export const run = (bytes: Uint8Array, input: ProblemRows): Promise<Uint8Array> =>
  extractRows(invoiceSheet, bytes, input);
