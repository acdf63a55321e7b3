import { writeWorkbook } from "#formats/xlsx/write-workbook.ts";

export const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Amount"] as const;

export type InvoiceRow = Partial<Record<(typeof HEADERS)[number], unknown>>;

/** A workbook of invoice lines in the template's columns. */
export function invoiceWorkbook(rows: readonly InvoiceRow[]): Promise<Uint8Array> {
  const cells = rows.map((row) =>
    HEADERS.map((header) => (row[header] === "" ? undefined : (row[header] as string | number | undefined))),
  );
  return writeWorkbook([{ name: "Invoices", columns: HEADERS.map((header) => ({ header })), rows: cells }]);
}
