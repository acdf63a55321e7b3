import { writeWorkbook } from "#formats/xlsx/write-workbook.ts";

const COLUMNS = [
  "Invoice No",
  "Customer",
  "Invoice Date",
  "Due Date",
  "Terms",
  "PO Number",
  "Item",
  "Description",
  "Qty",
  "Rate",
  "Amount",
  "Service Date",
  "Bill Line 1",
  "Bill City",
  "Bill State",
  "Bill Postal Code",
  "Ship Line 1",
  "Ship City",
  "Email",
  "Customer Memo",
];
const CUSTOMERS = [
  "Cool Cars",
  "Red Rock Diner",
  "Northwind Outfitters",
  "O'Brien Builders",
  "Kookies by Kathy",
];
const ITEMS = ["Claw Hammer", "Work Gloves", "Delivery"];

type Wish = {
  prefix: string;
  rows: number;
  linesPerInvoice: number;
  /** Every n-th row names a customer the company does not have, a different one each time. */
  faultEvery?: number;
};

/** A workbook of 20 filled columns as a company would upload it. */
export function benchWorkbook({ prefix, rows, linesPerInvoice, faultEvery }: Wish): Promise<Uint8Array> {
  const cells = Array.from({ length: rows }, (_, index) => {
    const invoice = Math.floor(index / linesPerInvoice);
    const fault = faultEvery !== undefined && index % faultEvery === 0;
    return invoiceRow({ prefix, index, invoice, customer: fault ? `Unknown Trading ${index}` : undefined });
  });
  return writeWorkbook([{ name: "Invoices", columns: COLUMNS.map((header) => ({ header })), rows: cells }]);
}

type Row = { prefix: string; index: number; invoice: number; customer: string | undefined };

function invoiceRow({ prefix, index, invoice, customer }: Row): (string | number)[] {
  const qty = (index % 9) + 1;
  return [
    `${prefix}-${invoice + 1}`,
    customer ?? CUSTOMERS[invoice % CUSTOMERS.length] ?? "",
    "2026-11-02",
    "2026-12-02",
    "Net 30",
    `PO ${100_000 + invoice}`,
    ITEMS[index % ITEMS.length] ?? "",
    `Delivered with consignment ${index + 1}, shelf ${index % 37}`,
    qty,
    19.95,
    Math.round(qty * 1_995) / 100,
    "2026-11-01",
    `${invoice + 1} Ocean Drive`,
    "Half Moon Bay",
    "CA",
    "94213",
    `Dock ${invoice % 12}`,
    "Bayshore",
    "office@coolcars.example",
    "Thank you for your order",
  ];
}
