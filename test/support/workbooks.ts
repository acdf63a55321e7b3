import { writeWorkbook } from "#formats/xlsx/write-workbook.ts";

export const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Amount"] as const;

const EXTRAS = ["Private Note", "PO Number", "Due Date", "Description", "Terms", "Tracking No"] as const;

export type InvoiceRow = Partial<Record<(typeof HEADERS)[number] | (typeof EXTRAS)[number], unknown>>;

/** A good line of an invoice, with the changes of a test. */
export const invoiceLine = (number: string, change: InvoiceRow = {}): InvoiceRow => ({
  "Invoice No": number,
  Customer: "Cool Cars",
  "Invoice Date": "2026-11-02",
  Item: "Claw Hammer",
  Qty: 2,
  Rate: 19.95,
  Amount: 39.9,
  ...change,
});

/**
 * Invoices of one line each, every one of another amount, so that a missing one and a doubled one both show.
 * @param prefix of the numbers; empty where QuickBooks gives them
 * @param firstCents amount of the first; each next is a cent more
 */
export function invoiceRows(
  count: number,
  { prefix, firstCents = 1_000 }: { prefix: string; firstCents?: number },
): InvoiceRow[] {
  return Array.from({ length: count }, (_, index) => ({
    ...invoiceLine(prefix ? `${prefix}-${index + 1}` : ""),
    Customer: index % 2 === 0 ? "Cool Cars" : "Red Rock Diner",
    Qty: 1,
    Rate: (firstCents + index) / 100,
    Amount: (firstCents + index) / 100,
  }));
}

/** A workbook of invoice lines in the template's columns, with the others that a row has. */
export function invoiceWorkbook(rows: readonly InvoiceRow[]): Promise<Uint8Array> {
  const headers = [...HEADERS, ...EXTRAS.filter((extra) => rows.some((row) => row[extra] !== undefined))];
  const cells = rows.map((row) =>
    headers.map((header) => (row[header] === "" ? undefined : (row[header] as string | number | undefined))),
  );
  return writeWorkbook([{ name: "Invoices", columns: headers.map((header) => ({ header })), rows: cells }]);
}

/** A line without an invoice number. Each day is an invoice of its own: rows of one customer and date belong together. */
export const dayLine = (day: number, change: InvoiceRow = {}): InvoiceRow => ({
  Customer: "Cool Cars",
  "Invoice Date": `2026-11-${String(day).padStart(2, "0")}`,
  Item: "Claw Hammer",
  Qty: 1,
  Rate: 10,
  Amount: 10,
  ...change,
});
