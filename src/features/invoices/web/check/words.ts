/** Texts of the check of a workbook. */
export const checkWords = {
  title: (filename: string) => `Check of ${filename}`,
  loading: "Reading the check",
  checking: (filename: string) => `Checking ${filename} against your books. Nothing is posted.`,
  posting: (filename: string) => `Looking at your books once more, then posting ${filename}.`,
  checked: (filename: string, ready: string, rejected: string) =>
    `${filename} checked: ${ready} ready to post, ${rejected} with problems`,
  posted: (filename: string) => `${filename} is being posted. See Results.`,
  dropped: (filename: string) => `The check of ${filename} was dropped.`,
  waiting: "The check waits.",
  failed: "The check could not be finished.",
  changesTitle: "What would be posted has changed since the check. Nothing was posted.",
  changesCure: "Below is what would be posted now.",
  share: "Outcome",
  invoices: "Invoices",
  rows: "Rows",
  amount: "Amount",
  fates: {
    total: "In the file",
    ready: "Ready to post",
    rejected: "With problems",
    skipped: "Sent before",
  },
  totalsOf: (filename: string) => `Totals of ${filename}`,
  customers: (count: string) => `Customers: ${count}`,
  errors: "Problems",
  warnings: "Warnings",
  cell: (cell: string) => `Cell ${cell}`,
  group: (count: string, rows: string) => `${count}× in rows ${rows}`,
  groupInColumn: (count: string, column: string, rows: string) =>
    `${count}× in column ${column}, rows ${rows}`,
  inRows: (rows: string) => (/^\d+$/.test(rows) ? `Row ${rows}` : `Rows ${rows}`),
  equal: (count: number, shown: string) =>
    count === 1
      ? "1 invoice is left out: another file had an equal one. Its row below says which."
      : `${shown} invoices are left out: other files had equal ones. Their rows below say which.`,
  addEqual: "Post these too",
  duplicates: "Possible duplicates",
  duplicatesHint:
    "They are posted like the rest. Leave them out of the file when you do not want them twice.",
  noProblems: "No problems were found.",
  rowsTitle: (count: string) => `All rows (${count})`,
  tableOf: (filename: string) => `Rows of ${filename}`,
  post: (invoices: string, amount: string) => `Post ${invoices} (${amount})`,
  invoicesOf: (count: number, shown: string) => (count === 1 ? "1 invoice" : `${shown} invoices`),
  nothing: "Nothing in this file can be posted.",
  nothingLeft: "Every invoice in this file was sent before.",
  again: "Check again",
  drop: "Close without posting",
  close: "Close",
  columns: "Change what the columns mean",
  notHere: "The check was made before this page was opened. To check again, choose the file once more above.",
} as const;
