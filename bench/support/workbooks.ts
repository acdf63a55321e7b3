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

type WorkbookRequest = {
  prefix: string;
  rows: number;
  linesPerInvoice: number;
  /** Every n-th row names an unknown customer, a different one each time. */
  faultEvery?: number;
  /** Whether those rows also have an unknown item, unknown terms, a nonexistent date and a wrong amount. */
  manyFaults?: boolean;
  /** Rows have a discount, shipping, tax and their invoice's total, and a tip that no field matches. */
  hasCharges?: boolean;
};

const CHARGES = ["Line Discount", "Shipping", "Sales Tax", "Invoice Total", "Tip"];

/** Builds a workbook with 20 filled columns as a company would upload it. */
export function benchWorkbook({
  prefix,
  rows,
  linesPerInvoice,
  faultEvery,
  manyFaults,
  hasCharges,
}: WorkbookRequest): Promise<Uint8Array> {
  const cells = Array.from({ length: rows }, (_, index) => {
    const invoice = Math.floor(index / linesPerInvoice);
    const row = goodRow({ prefix, index, invoice });
    if (hasCharges) row.push(...charges({ invoice, linesPerInvoice }));
    if (faultEvery === undefined || index % faultEvery > 0) return row;
    row[1] = `Unknown Trading ${index}`;
    return manyFaults ? spoil(row, index) : row;
  });
  const headers = hasCharges ? [...COLUMNS, ...CHARGES] : COLUMNS;
  return writeWorkbook([{ name: "Invoices", columns: headers.map((header) => ({ header })), rows: cells }]);
}

function spoil(row: readonly (string | number)[], index: number): (string | number)[] {
  const wrong = new Map<string, string | number>([
    ["Invoice Date", `2026-02-${30 + (index % 60)}`],
    ["Terms", `Terms of house ${index}`],
    ["Item", `Unknown item ${index}`],
    ["Amount", 10_000 + index],
  ]);
  return row.map((value, column) => wrong.get(COLUMNS[column] ?? "") ?? value);
}

/**
 * Adds to each row half a dollar of discount and a dollar of tax, and five dollars of shipping per invoice.
 */
function charges({ invoice, linesPerInvoice }: { invoice: number; linesPerInvoice: number }): number[] {
  const lines = Array.from({ length: linesPerInvoice }, (_, line) => invoice * linesPerInvoice + line);
  const cents = lines.reduce((sum, index) => sum + quantity(index) * 1_995 - 50 + 100, 500);
  return [0.5, 5, 1, cents / 100, 1.5];
}

const quantity = (index: number) => (index % 9) + 1;

type Row = { prefix: string; index: number; invoice: number };

function goodRow({ prefix, index, invoice }: Row): (string | number)[] {
  const qty = quantity(index);
  return [
    `${prefix}-${invoice + 1}`,
    CUSTOMERS[invoice % CUSTOMERS.length] ?? "",
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
