import type { SheetRow } from "#formats/xlsx/workbook.ts";
import type { Column } from "#features/invoices/workbook/rules-headers.ts";

/** Customer of the template's sample rows; no company has one of this name. */
export const SAMPLE_CUSTOMER = "Sample Customer (delete this row)";

/** A row that came with the template and was left in. */
export function isSampleRow(row: SheetRow, columns: readonly Column[]): boolean {
  const customer = columns.find((column) => column.field === "customer");
  return customer !== undefined && row.cells[customer.index] === SAMPLE_CUSTOMER;
}
