import { inspectSheet, type Inspection, type ToInspect } from "#features/sheets/reading.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";

/** Whether a file of invoices can be worked on. Runs in a thread of its own. */
export const run = (bytes: Uint8Array, input: ToInspect): Inspection =>
  inspectSheet(invoiceSheet, bytes, input);
