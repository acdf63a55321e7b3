import type { CellDate } from "#formats/xlsx/serial-date.ts";
import { writeWorkbook, type WrittenColumn } from "#formats/xlsx/write-workbook.ts";

/** Workbooks for trying the product; their names are those of the demo companies. */
export type SampleName = "good" | "with-mistakes" | "messy" | "large";

export const SAMPLE_NAMES: readonly SampleName[] = ["good", "with-mistakes", "messy", "large"];

type SampleRow = readonly (string | number | CellDate | undefined)[];

const COLUMNS: readonly WrittenColumn[] = [
  { header: "Invoice No", width: 14, text: true },
  { header: "Customer", width: 28, text: true },
  { header: "Invoice Date", width: 14 },
  { header: "Terms", width: 12 },
  { header: "Item", width: 26, text: true },
  { header: "Description", width: 32 },
  { header: "Qty", width: 8 },
  { header: "Rate", width: 10 },
  { header: "Amount", width: 12 },
];

const CUSTOMERS = [
  "Cool Cars",
  "Red Rock Diner",
  "O'Brien Builders",
  "Café Béla",
  "Northwind Outfitters",
  "Bright Home Stores:Store 12",
];
const ITEMS = [
  { sku: "CD-18", name: "Cordless Drill 18V", cents: 12_900 },
  { sku: "H-16", name: "Claw Hammer", cents: 1_995 },
  { sku: "TM-25", name: "Tape Measure 25 ft", cents: 1_450 },
  { sku: "WG-L", name: "Work Gloves", cents: 1_240 },
  { sku: "SVC-DEL", name: "Delivery", cents: 2_500 },
] as const;

/** Writes a sample. @param today date of its invoices */
export function writeSample(name: SampleName, today: Date): Promise<Uint8Array> {
  const samples = {
    // Twelve invoices of one to three lines.
    good: (day: CellDate) => invoices({ prefix: "S", from: 1001, count: 12, day }),
    "with-mistakes": faultyRows,
    messy: messyRows,
    // Five hundred invoices, enough to watch the progress.
    large: (day: CellDate) => invoices({ prefix: "L", from: 5001, count: 500, day }),
  };
  const rows = samples[name](toCellDate(today));
  const columns = name === "messy" ? MESSY_COLUMNS : COLUMNS;
  return writeWorkbook([{ name: "Invoices", columns, rows }]);
}

/** Four good invoices between rows with typical problems. */
function faultyRows(day: CellDate): SampleRow[] {
  return [
    ...invoices({ prefix: "M", from: 2001, count: 2, day }),
    ["M-2003", "Cool Carz", day, "Net 30", "H-16", "Customer with a typing mistake", 2, 19.95, 39.9],
    ["M-2004", "Red Rock Diner", day, "Net 30", "WIDGET-9", "Item the company does not have", 1, 10, 10],
    ["M-2005", "Red Rock Diner", day, "Net 30", "TM-25", "Amount that does not multiply", 3, 14.5, 45],
    ["M-2006", "O'Brien Builders", "31/02/2026", "Net 30", "WG-L", "Day that does not exist", 1, 12.4, 12.4],
    ["M-2007", "Old Town Records", day, "Net 30", "WG-L", "Customer that is no longer active", 1, 12.4, 12.4],
    ["M-2008", "Café Béla", day, "Net 30", "H-16", "First line is fine", 1, 19.95, 19.95],
    ["M-2008", "Café Béla", day, "Net 30", "TM-25", "Quantity is missing", undefined, undefined, undefined],
    ...invoices({ prefix: "M", from: 2009, count: 2, day }),
  ];
}

/** Not a known header for the quantity, so that the column needs matching. */
const SHIPPED = "Shipped";
const MESSY_COLUMNS = COLUMNS.slice(0, 8).map((column) =>
  column.header === "Qty" ? { ...column, header: SHIPPED } : column,
);

/** Typical mistakes by row index: five names to match, three cells to fix. */
const MESSY: Partial<Record<number, Readonly<Record<string, string>>>> = {
  2: { Customer: "Cool Carz" },
  4: { Customer: "Red Rock Dinner" },
  6: { Customer: "Northwind Outfiters" },
  8: { Item: "Claw Hamer" },
  9: { Terms: "30 days" },
  11: { Rate: "14,50" },
  13: { "Invoice Date": "31/02/2026" },
  15: { [SHIPPED]: "two" },
};

/** Seventeen invoices with one line each. */
function messyRows(day: CellDate): SampleRow[] {
  return Array.from({ length: 17 }, (_, place) => {
    const [item, name, rate] =
      place % 2 === 0 ? ["H-16", "Claw Hammer", 19.95] : ["TM-25", "Tape Measure 25 ft", 14.5];
    const cells: Record<string, SampleRow[number]> = {
      "Invoice No": `W-${3001 + place}`,
      Customer: CUSTOMERS[place % CUSTOMERS.length],
      "Invoice Date": day,
      Terms: "Net 30",
      Item: item,
      Description: name,
      [SHIPPED]: 1 + (place % 4),
      Rate: rate,
      ...MESSY[place],
    };
    return MESSY_COLUMNS.map(({ header }) => cells[String(header)]);
  });
}

type Series = { prefix: string; from: number; count: number; day: CellDate };

function invoices({ prefix, from, count, day }: Series): SampleRow[] {
  return Array.from({ length: count }, (_, index) =>
    Array.from({ length: 1 + (index % 3) }, (_line, line): SampleRow => {
      const { sku, name, cents } = ITEMS[(index + line) % ITEMS.length] ?? ITEMS[0];
      const customer = CUSTOMERS[index % CUSTOMERS.length];
      const qty = 1 + ((index * 7 + line * 3) % 5);
      const money = [qty, cents / 100, (cents * qty) / 100];
      return [`${prefix}-${from + index}`, customer, day, "Net 30", sku, name, ...money];
    }),
  ).flat();
}

const toCellDate = (date: Date): CellDate => ({
  kind: "date",
  y: date.getUTCFullYear(),
  m: date.getUTCMonth() + 1,
  d: date.getUTCDate(),
  seconds: 0,
});
