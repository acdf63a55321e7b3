import { buildXlsx, type CellSpec, type MadeSheet } from "../../src/formats/xlsx/fixtures/build-xlsx.ts";

export const CORPUS_HEADERS = [
  "Invoice No",
  "Customer",
  "Invoice Date",
  "Due Date",
  "Terms",
  "Item",
  "Description",
  "Qty",
  "Rate",
  "Amount",
  "Service Date",
  "Class",
  "Location",
  "Taxable",
  "Ship Date",
  "Tracking No",
  "Bill State",
  "Bill Postal Code",
  "Email",
  "Customer Memo",
  "Currency",
] as const;

export type CorpusHeader = (typeof CORPUS_HEADERS)[number];
export type CorpusRow = Partial<Record<CorpusHeader, CellSpec>>;

/** A row without any fault, for the lists of `fixtures/plan-rows.ts`. */
export const goodRow = (number: string): CorpusRow => ({
  "Invoice No": number,
  Customer: "Beta LLC",
  "Invoice Date": { date: 46_100 },
  "Due Date": { date: 46_130 },
  Terms: "Net 30",
  Item: "Widget 9",
  Description: "Blue widget",
  Qty: 2,
  Rate: 9,
  Amount: 18,
  "Service Date": { date: 46_090 },
  Class: "Retail",
  Location: "Austin",
  Taxable: "Y",
  "Ship Date": { date: 46_101 },
  "Tracking No": "1Z999AA10123456784",
  "Bill State": "TX",
  "Bill Postal Code": "78701",
  Email: "office@beta.example",
  "Customer Memo": "Thank you",
  Currency: "USD",
});

export const toCells = (row: CorpusRow): CellSpec[] => CORPUS_HEADERS.map((header) => row[header]);

/** A sheet "March" with its headers in row 1. */
export const marchSheet = (rows: readonly CorpusRow[]): MadeSheet => ({
  name: "March",
  rows: [[...CORPUS_HEADERS], ...rows.map(toCells)],
});

/** Two good invoices; the change applies to the second, in row 3. */
export const withDefect = (change: CorpusRow): Uint8Array =>
  buildXlsx({ sheets: [marchSheet([goodRow("C-1"), { ...goodRow("C-2"), ...change }])] });
