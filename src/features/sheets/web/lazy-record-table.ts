import type { RecordTable as Table } from "#features/sheets/web/record-table.tsx";
import { lazy } from "react";

/** The table of records, loaded when a page first shows one. `lazy` forgets that it takes rows of any type. */
export const RecordTable = lazy(async () => ({
  default: (await import("#features/sheets/web/record-table.tsx")).RecordTable,
})) as unknown as typeof Table;
