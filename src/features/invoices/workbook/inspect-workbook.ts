import { inspectSheet, type Inspection, type InspectInput } from "#features/sheets/reading.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";

/** Whether a file of invoices can be worked on. Runs in a thread of its own. */
export const run = (bytes: Uint8Array, input: InspectInput): Inspection =>
  inspectSheet(invoiceSheet, bytes, input);
