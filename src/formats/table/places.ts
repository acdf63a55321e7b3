import { ownRow, sheetPrefix, type SheetNames } from "../text/sheet-rows.ts";
import { cellName } from "../xlsx/cell-names.ts";
import type { Problem } from "./problem.ts";

/** A cell as users find it: "D5", or "March!D5" where several sheets were read. */
export const cellPlace = (column: number, row: number, sheets: SheetNames = []): string =>
  `${sheetPrefix(row, sheets)}${cellName(column, ownRow(row))}`;

/** Code of the remark that several sheets were read; its names are those of all stored rows. */
export const SHEETS_READ = "sheets_read";

/** Names of the sheets that were read together, as the remarks on a file keep them; empty for one sheet. */
export function sheetNames(notes: readonly Problem[]): SheetNames {
  const names = notes.find(({ code }) => code === SHEETS_READ)?.params["sheets"];
  return Array.isArray(names) ? names.map(String) : [];
}
