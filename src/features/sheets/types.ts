import type { SeenColumn } from "#features/sheets/contract.ts";
import type { Headers } from "#formats/table/headers.ts";
import type { ColumnMarks } from "#formats/table/row-marks.ts";
import type { SheetRow } from "#formats/xlsx/workbook.ts";

/** A column with its place in the sheet, and how many columns of the same header are before it. */
export type SheetColumn = SeenColumn & { index: number; repeat: number };

/** A sheet whose rows may be billed, with its own columns and the values that mark its rows. */
export type CountedSheet = {
  sheet: string;
  columns: readonly SheetColumn[];
  rows: readonly SheetRow[];
  headers: Headers;
  rowMarks: readonly ColumnMarks[];
};
