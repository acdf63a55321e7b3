import { counted } from "#web/kit/format.ts";

const inRows = (rows: string) => (/^\d+$/.test(rows) ? `row ${rows}` : `rows ${rows}`);

/** Texts of the review of a check. */
export const reviewWords = {
  title: "Invoices",
  loading: "Reading the invoices",
  tableOf: (filename: string) => `Invoices of ${filename}`,
  search: "Customer or number",
  heads: {
    number: "Number",
    customer: "Customer",
    date: "Date",
    due: "Due",
    lines: "Lines",
    amount: "Amount",
    state: "State",
  },
  filters: { all: "All", ready: "Ready", answer: "Need an answer", fix: "Need fixing", skipped: "Skipped" },
  states: {
    ready: "Ready to post",
    answer: "Needs an answer",
    fix: "Needs fixing",
    skipped: "Already uploaded",
    held: "Held back",
  },
  noNumber: (rows: string) => `No number (${inRows(rows)})`,
  linesOf: (name: string) => `Lines of ${name}`,
  inRows,
  line: { item: "Item", description: "Description", qty: "Qty", rate: "Rate", amount: "Amount", row: "Row" },
  filled: { sheet: "calculated", books: "price in QuickBooks" },
  noLines: "Its lines show here once its problems are fixed.",
  fixTitle: (count: number) =>
    count === 1 ? "1 invoice needs fixing" : `${counted(count, "invoice")} need fixing`,
  row: (row: number) => `Row ${row}`,
  more: "Show more",
} as const;
