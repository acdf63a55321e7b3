import { counted, formatCount } from "#web/kit/format.ts";

/** Texts of the receipt of an upload. */
export const receiptWords = {
  posting: (done: number, all: number) => `${formatCount(done)} of ${counted(all, "invoice")} done`,
  corrections: "Corrected in the review",
  correction: (row: number, header: string, { was, value }: { was: string; value: string }) =>
    `Row ${formatCount(row)}, ${header}: “${was}” was changed to “${value}”.`,
  title: (filename: string) => `Receipt of ${filename}`,
  loading: "Reading the receipt",
  company: "Company",
  uploadedBy: "Uploaded by",
  uploadedAt: "Uploaded",
  finishedAt: "Finished",
  notFinished: "Not finished yet",
  took: (seconds: number) => `${formatCount(seconds)} s`,
  totals: "Control totals",
  heads: ["Outcome", "Invoices", "Amount"] as readonly string[],
  outcomes: {
    read: "Read from the file",
    posted: "Posted",
    rejected: "Rejected",
    skipped: "Sent before",
    unresolved: "Without a clear answer",
    stopped: "Stopped",
    open: "Still at work",
    undone: "Undone",
  },
  booksHeads: ["In QuickBooks", "Posted"] as readonly string[],
  books: "What QuickBooks answered",
  booksRows: { invoices: "Invoices", amount: "Without tax", tax: "Tax", total: "Total" },
  agrees:
    "It all agrees: every invoice of the file is accounted for, and QuickBooks has the same money to the cent.",
  differs: (amount: string) =>
    `It does not agree: what QuickBooks stored differs from the file by ${amount}. See the differences below.`,
  missing: (rows: number) =>
    `It does not agree: ${counted(rows, "row")} of the file ${rows === 1 ? "is" : "are"} in no invoice of this receipt. Where its results do not say why, contact us.`,
  notYet: "The totals are final once nothing is at work any more.",
  unreadable: (count: number) =>
    `Rejected invoices whose amount could not be read, counted as zero: ${formatCount(count)}`,
  flags: (count: number) => `Differences (${formatCount(count)})`,
  flagsHint: "QuickBooks stored these invoices with another value than was sent.",
  flagHeads: ["Invoice", "Customer", "Line", "Value", "Sent", "Stored"] as readonly string[],
  fields: {
    total: "Total",
    lines: "Number of lines",
    quantity: "Qty",
    rate: "Rate",
    amount: "Amount",
    ship_via: "Ship Via",
    ship_date: "Ship Date",
    tracking_no: "Tracking No",
    location: "Location",
    service_date: "Service Date",
    class: "Class",
  },
  notKept: "not kept",
  allLines: "all",
  invoices: "Invoices",
  invoiceHeads: ["Rows", "Invoice", "Customer", "In the file", "In QuickBooks", "State"] as readonly string[],
  more: "Show more invoices",
  print: "Print",
  printing: "Preparing to print",
  notAllPrinted: (shown: number, count: number) =>
    `These are ${formatCount(shown)} of ${formatCount(count)} invoices. The button Print of the receipt prints all of them.`,
  back: "Back to uploads",
} as const;
