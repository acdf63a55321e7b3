import { inspectColumns, type ColumnsInput, type SeenSheet } from "#features/sheets/reading.ts";
import { labelSheet } from "#features/labels/sheet.ts";

/** Reads the columns of a label sheet. Runs in a worker thread. */
export const run = (bytes: Uint8Array, input: ColumnsInput): SeenSheet =>
  inspectColumns(labelSheet, bytes, input);
