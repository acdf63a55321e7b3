import { counted, formatCount } from "#web/kit/format.ts";

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
  noNumber: "No number",
  linesOf: (name: string) => `Lines of ${name}`,
  inRows: (rows: string) => (/^\d+$/.test(rows) ? `row ${rows}` : `rows ${rows}`),
  line: { item: "Item", description: "Description", qty: "Qty", rate: "Rate", amount: "Amount" },
  filled: { sheet: "calculated", books: "price in QuickBooks" },
  noLines: "Its lines show here once its problems are fixed.",
  fixTitle: (count: number) =>
    count === 1 ? "1 invoice needs fixing" : `${counted(count, "invoice")} need fixing`,
  fixHint: "Fix a cell here, or fix your file later. Your file stays as it is.",
  times: (count: number, header: string) =>
    header ? `${header}, ${formatCount(count)} times` : `${formatCount(count)} times`,
  eachOf: (count: number) => `Fix ${counted(count, "cell")}`,
  place: (name: string, header: string) => (header ? `${name} · ${header}` : name),
  row: (row: number) => `Row ${row}`,
  was: (value: string) => value || "Blank",
  cellOf: (header: string, name: string) => `${header} of ${name}`,
  use: "Use",
  more: "Show more",
  again: "Check again",
  corrected: (count: number) => `${counted(count, "cell")} corrected here`,
  correction: (row: number, header: string) => `Row ${row}, ${header}:`,
  undo: "Undo",
  undoOf: (row: number, header: string) => `Undo the correction of ${header} in row ${row}`,
} as const;
