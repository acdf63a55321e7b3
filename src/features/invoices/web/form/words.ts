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
  full: (left: string, most: string) =>
    `Only ${most} rows fit here: ${left} rows were left out. Put longer lists into a spreadsheet and upload that.`,
  pasted: (rows: string) => `${rows} pasted`,
  rowsOf: (count: number, shown: string) => (count === 1 ? "1 row" : `${shown} rows`),
  allPosted: "All typed invoices are posted.",
  someLeft: (rows: string) => `${rows} left to correct or to send. The rest is posted.`,
  faults: (count: string) => `Marked cells: ${count}. Their problems are told beside them and below.`,
  csv: "Choose a CSV file instead",
  csvPicker: "CSV file to upload",
  csvChosen: (filename: string) => `${filename} is sent instead of what is typed.`,
  csvClear: (filename: string) => `Remove ${filename}`,
  back: "Back to uploads",
} as const;
