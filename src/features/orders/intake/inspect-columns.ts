import { orderSheet } from "#features/orders/sheet.ts";
import { inspectColumns, type ColumnsInput, type InspectedSheet } from "#features/sheets/reading.ts";

/** Reads the columns of a sheet of orders. Runs in a worker thread. */
export const run = (bytes: Uint8Array, input: ColumnsInput): InspectedSheet =>
  inspectColumns(orderSheet, bytes, input);
