import type * as cells from "#formats/table/cells.ts";
import type * as records from "#formats/table/records.ts";
import * as tables from "#formats/table/columns.ts";
import type { ColumnChoices } from "#formats/table/headers.ts";
import type { Workbook } from "#formats/xlsx/workbook.ts";
import { invoiceSheet, type Field } from "#features/invoices/workbook/rules-sheet.ts";

/** The rows to be made into invoices. */
export type Table = tables.Table<Field>;
export type ReadRow = cells.ReadRow<Field>;
export type RowGroup = records.RowGroup<Field>;

/** Finds the sheet of invoices in a workbook. @throws FileRefused when there is none */
export const findTable = (workbook: Workbook, chosen?: ColumnChoices): Table =>
  tables.findTable(invoiceSheet, workbook, chosen);
