import { inspectColumns, type ColumnsInput, type InspectedSheet } from "#features/sheets/reading.ts";
import { labelSheet } from "#features/labels/sheet.ts";

/** Reads the columns of a label sheet. Runs in a worker thread. */
export const run = (bytes: Uint8Array, input: ColumnsInput): InspectedSheet =>
  inspectColumns(labelSheet, bytes, input);
