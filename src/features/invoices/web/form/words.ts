import { counted, formatCount } from "#web/kit/format.ts";

/** Texts of the form that invoices are typed or pasted into. */
export const formWords = {
  title: "Type or paste invoices",
  intro:
    "One row a line of an invoice; rows with the same number are one invoice. Cells copied from a spreadsheet can be pasted anywhere.",
  filename: "typed-invoices.csv",
  grid: "Invoices to type",
  rowNumber: "Row",
  cell: (header: string, row: number) => `${header}, row ${row}`,
  add: (count: number) => `Add ${count} rows`,
  clear: "Clear all",
  cleared: "Everything typed was cleared.",
  full: (left: number, most: number) =>
    `Only ${formatCount(most)} rows fit here: ${formatCount(left)} rows were left out. Put longer lists into a spreadsheet and upload that.`,
  pasted: (rows: number) => `${counted(rows, "row")} pasted`,
  allPosted: "All typed invoices are posted.",
  someLeft: (rows: number) =>
    `${counted(rows, "row")} still ${rows === 1 ? "needs" : "need"} fixing. The rest is posted.`,
  csv: "Choose a CSV file instead",
  csvPicker: "CSV file to upload",
  csvChosen: (filename: string) => `${filename} is sent instead of what is typed.`,
  csvClear: (filename: string) => `Remove ${filename}`,
  back: "Back to uploads",
} as const;
