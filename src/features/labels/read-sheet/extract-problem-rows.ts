import { extractRows, type ProblemRows } from "#features/sheets/reading.ts";
import { labelSheet } from "#features/labels/sheet.ts";

/** Rows of a sheet of labels that have errors. Runs in a thread of its own. */
export const run = (bytes: Uint8Array, input: ProblemRows): Promise<Uint8Array> =>
  extractRows(labelSheet, bytes, input);
