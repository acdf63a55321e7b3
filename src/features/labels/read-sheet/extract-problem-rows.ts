import { extractRows, type ProblemRows } from "#features/sheets/reading.ts";
import { labelSheet } from "#features/labels/sheet.ts";

/** Extracts the rows of a label sheet that have errors. Runs in a worker thread. */
export const run = (bytes: Uint8Array, input: ProblemRows): Promise<Uint8Array> =>
  extractRows(labelSheet, bytes, input);
