import type { ReviewInvoice } from "#features/invoices/check/contract.ts";
import { counted, formatCount, rowsText } from "#web/kit/format.ts";

/** UI text for the review of a workbook. */
export const reviewWords = {
  title: (filename: string) => `Review ${filename}`,
  loading: "Loading the review",
  checking: (filename: string) => `Checking ${filename} against QuickBooks. Nothing is posted.`,
  postingNow: "Checking QuickBooks one more time",
  posting: (filename: string) => `Checking QuickBooks one more time, then posting ${filename}.`,
  checked: (filename: string, ready: number, rejected: number) =>
    `${filename} checked: ${formatCount(ready)} ready to post, ${formatCount(rejected)} with problems`,
  posted: (filename: string) => `${filename} is being posted.`,
  dropped: (filename: string) => `The review of ${filename} was canceled.`,
  waiting: "The check is waiting.",
  failed: "The check couldn't be finished.",
  changesTitle: "Something changed since the check, so nothing was posted.",
  changesCure: "Below is what would be posted now.",
  crumb: "Review",
  nothingYet: "Nothing is in QuickBooks yet. Invoices will go to",
  someBefore: (skipped: number, all: number) =>
    `${formatCount(skipped)} of ${formatCount(all)} are in QuickBooks already. The rest will go to`,
  allBefore: "Everything in this file is in QuickBooks already, in",
  allOrNothing: "Post all or nothing",
  figures: {
    file: "In your file",
    posted: "Posted before",
    ready: "Ready to post",
    answer: "Need an answer",
    fix: "Need fixing",
    note: (count: number, { skipped, left }: { skipped: number; left: number }) =>
      [
        count === 1 ? "invoice" : "invoices",
        skipped > 0 ? `${formatCount(skipped)} already uploaded` : "",
        left > 0 ? `${formatCount(left)} left out` : "",
      ]
        .filter(Boolean)
        .join(", "),
  },
  totalsLabel: (filename: string) => `Totals of ${filename}`,
  inRows: (rows: string) => rowsText("Row", rows),
  duplicatesLeftOut: (count: number) =>
    count === 1
      ? "1 invoice is left out because an identical one is in another file or in QuickBooks. Its row below says which."
      : `${formatCount(count)} invoices are left out because identical ones are in other files or in QuickBooks. See their rows below.`,
  allowDuplicates: "Post these too",
  showRows: "Show the rows",
  taxMissing: "The file's sales tax won't be in QuickBooks",
  duplicates: "Possible duplicates",
  duplicatesLink: (count: number) => `${counted(count, "possible duplicate")}`,
  moreDuplicates: (count: number) => `Show ${formatCount(count)} more`,
  duplicatesHint: "These will be posted too. If one is a duplicate, choose it here and leave it out.",
  noProblems: "No problems were found.",
  post: (invoices: string, amount: string) => `Post ${invoices} (${amount})`,
  nothing: "Nothing in this file can be posted.",
  unanswered: "Nothing can be posted yet. Answer the questions and fix the cells below.",
  nothingLeft: "Every invoice in this file was already uploaded.",
  again: "Check again",
  drop: "Cancel",
  edit: "Back to typing",
  close: "Close",
  columns: "Match columns",
  notHere: "To check it again, close this and choose the file once more.",
} as const;

/** Id of the list of possible duplicates, for links to it. */
export const DUPLICATES = "possible-duplicates";

type Named = Pick<ReviewInvoice, "doc_number" | "rows">;

const inRows = (rows: string) => rowsText("row", rows);

/** UI text for the invoices of a review and for their wrong cells. */
export const invoiceWords = {
  title: "Invoices",
  loading: "Loading the invoices",
  tableLabel: (filename: string) => `Invoices of ${filename}`,
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
  filters: {
    all: "All",
    posted: "Posted before",
    ready: "Ready",
    answer: "Need an answer",
    fix: "Need fixing",
    skipped: "Skipped",
  },
  states: {
    ready: "Ready to post",
    answer: "Needs an answer",
    fix: "Needs fixing",
    posted: "Posted before",
    skipped: "Already uploaded",
    held: "Held back",
  },
  postedFrom: (day: string) => `Posted ${day} from `,
  postedBy: (by: string) => `by ${by}`,
  compare: "Compare",
  compareLabel: (name: string) => `Compare ${name}`,
  asPosted: (day: string, facts: string) => `Posted ${day}: ${facts}`,
  asInFile: (facts: string) => `In this file: ${facts}`,
  /** First column of the table: the number, or the rows of an invoice without one. */
  number: ({ doc_number, rows }: Named) => doc_number ?? `No number (${inRows(rows)})`,
  /** Number of an invoice, else its rows. */
  name: ({ doc_number, rows }: Named) => doc_number ?? inRows(rows),
  linesLabel: (name: string) => `Lines of ${name}`,
  line: { item: "Item", description: "Description", qty: "Qty", rate: "Rate", amount: "Amount", row: "Row" },
  filled: { sheet: "calculated", books: "price in QuickBooks" },
  noLines: "Its lines appear here once its problems are fixed.",
  fixTitle: (count: number) =>
    count === 1 ? "1 invoice needs fixing" : `${counted(count, "invoice")} need fixing`,
  row: (place: string) => `Row ${place}`,
  more: "Show more",
} as const;
