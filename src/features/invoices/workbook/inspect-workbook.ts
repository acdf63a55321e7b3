import { inspectSheet, type Inspection, type InspectInput } from "#features/sheets/reading.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";

/** Checks whether a file of invoices can be processed. Runs in a worker thread. */
export const run = (bytes: Uint8Array, input: InspectInput): Inspection =>
  inspectSheet(invoiceSheet, bytes, input);
