import { inspectColumns, type SeenSheet, type ColumnsInput } from "#features/sheets/reading.ts";
import { labelSheet } from "#features/labels/sheet/rules-sheet.ts";

/** The columns of a sheet of labels. Runs in a thread of its own. */
export const run = (bytes: Uint8Array, input: ColumnsInput): SeenSheet =>
  inspectColumns(labelSheet, bytes, input);
