import { counted, formatCount } from "#web/kit/format.ts";

/** Texts of the check of a workbook. */
export const checkWords = {
  title: (filename: string) => `Review ${filename}`,
  loading: "Reading the check",
  checking: (filename: string) => `Checking ${filename} against your books. Nothing is posted.`,
  posting: (filename: string) => `Looking at your books once more, then posting ${filename}.`,
  checked: (filename: string, ready: number, rejected: number) =>
    `${filename} checked: ${formatCount(ready)} ready to post, ${formatCount(rejected)} with problems`,
  posted: (filename: string) => `${filename} is being posted.`,
  dropped: (filename: string) => `The check of ${filename} was dropped.`,
  waiting: "The check waits.",
  failed: "The check could not be finished.",
  changesTitle: "What would be posted has changed since the check. Nothing was posted.",
  changesCure: "Below is what would be posted now.",
  share: "Outcome",
  invoices: "Invoices",
  rows: "Rows",
  amount: "Amount",
  outcomes: {
    total: "In the file",
    ready: "Ready to post",
    rejected: "With problems",
    skipped: "Sent before",
  },
  totalsOf: (filename: string) => `Totals of ${filename}`,
  customers: (count: number) => `Customers: ${formatCount(count)}`,
  errors: "Problems",
  warnings: "Warnings",
  remarks: "Information",
  cell: (cell: string) => `Cell ${cell}`,
  group: (count: number, column: string | null, rows: string) =>
    `${formatCount(count)}× in ${column ? `column ${column}, ` : ""}rows ${rows}`,
  inRows: (rows: string) => (/^\d+$/.test(rows) ? `Row ${rows}` : `Rows ${rows}`),
  equal: (count: number) =>
    count === 1
      ? "1 invoice is left out: another file had an equal one. Its row below says which."
      : `${formatCount(count)} invoices are left out: other files had equal ones. Their rows below say which.`,
  addEqual: "Post these too",
  duplicates: "Possible duplicates",
  duplicatesOf: (count: number) => `Possible duplicates: ${formatCount(count)}`,
  duplicatesHint:
    "They are posted like the rest. Leave them out of the file when you do not want them twice.",
  noProblems: "No problems were found.",
  rowsTitle: (count: number) => `All rows (${formatCount(count)})`,
  tableOf: (filename: string) => `Rows of ${filename}`,
  post: (invoices: number, amount: string) => `Post ${counted(invoices, "invoice")} (${amount})`,
  nothing: "Nothing in this file can be posted.",
  nothingLeft: "Every invoice in this file was sent before.",
  again: "Check again",
  drop: "Close without posting",
  close: "Close",
  columns: "Change what the columns mean",
  notHere: "To check it again, close this and choose the file once more.",
} as const;
