import { formatCount } from "#web/kit/format.ts";

/** UI text for the invoices of a receipt, in a separate file because they load with the rows, after the head. */
export const invoiceWords = {
  loading: "Loading the invoices",
  states: {
    posted: "Posted",
    rejected: "Needs fixing",
    unanswered: "Needs an answer",
    skipped: "Already uploaded",
    unresolved: "Not confirmed",
    stopped: "Stopped",
    open: "Still posting",
    undone: "Undone",
  },
  invoices: "Invoices",
  invoiceHeads: [
    "Rows",
    "Invoice",
    "Customer",
    "Date",
    "Due",
    "Lines",
    "In the file",
    "In QuickBooks",
    "State",
  ] as readonly string[],
  answer: {
    question: (rows: string) => `Is the invoice of rows ${rows} in QuickBooks?`,
    yes: "Yes, it's in QuickBooks",
    no: "No, post it",
  },
  more: "Show more invoices",
  notAllPrinted: (shown: number, count: number) =>
    `This printout has ${formatCount(shown)} of ${formatCount(count)} invoices. Choose Print receipt to print all of them.`,
  filters: "Show",
  filterLabels: { all: "All", posted: "Posted", not_posted: "Not posted" },
  search: "Search invoices",
  searchFor: "Customer or number",
  noMatch: "No invoice matches.",
} as const;
