import type { Receipt } from "#features/invoices/receipt/contract.ts";
import { isReading } from "#features/invoices/web/receipt/rules.ts";
import { formatMoney } from "#features/invoices/web/tables/money.ts";
import { counted, formatCount, formatMoment, rowsText } from "#web/kit/format.ts";
import { joinList } from "#web/kit/join-list.ts";

/** Whether QuickBooks computed a tax different from the file's. */
const taxDiffers = ({ tax_in_file: tax }: Receipt): boolean => tax !== null && tax.amount !== tax.computed;

/** Whether a total of the file differs from the sum of its rows. */
const totalsDiffer = ({ file_totals }: Receipt): boolean => file_totals.some(({ agrees }) => !agrees);

/** Whether only tax, columns that users ignored, other sheets and totals of the file keep the file from matching. */
export const matchesExcept = (receipt: Receipt): boolean =>
  (receipt.ignored.length > 0 ||
    receipt.unread_sheets.length > 0 ||
    taxDiffers(receipt) ||
    totalsDiffer(receipt)) &&
  receipt.missing_rows === 0 &&
  Number(receipt.difference) === 0;

const exceptions = (receipt: Receipt): string =>
  [
    ignoredColumns(receipt),
    ...receipt.unread_sheets.map((sheet) => `sheet "${sheet}", which wasn't read`),
    taxDiffers(receipt) ? "sales tax" : "",
    totalsDiffer(receipt) ? "totals of your file" : "",
  ]
    .filter(Boolean)
    .join("; ");

const ignoredColumns = ({ ignored }: Receipt): string =>
  ignored
    .map(({ header, sum, by }) =>
      [`${header}${sum === null ? "" : ` (${sum})`}`, by === null ? "left out" : `left out by ${by}`].join(
        ", ",
      ),
    )
    .join("; ");

/** How an undo removed the invoices from the books. */
function undoneAs({ undo_actions: [action, ...others] }: Receipt): string {
  if (others.length > 0) return "undone";
  return action === "delete" ? "deleted" : "voided";
}

/** "M-10 (-$15.00)" */
function describeLeftOut({ doc_number, rows, amount, currency }: Receipt["left_out"][number]): string {
  const name = doc_number ?? rowsText("row", rows);
  return amount === null ? name : `${name} (${formatMoney(amount, currency)})`;
}

/** Line of a receipt whose upload has nothing in the books, as far as we know. */
function nothingPosted(receipt: Receipt): string {
  const { read, undone, unresolved, skipped, company } = receipt;
  const were = (count: number) => (count === 1 ? "was" : "were");
  if (undone.invoices > 0) {
    const all = undone.invoices === read.invoices && undone.invoices > 1 ? "All " : "";
    return `${all}${counted(undone.invoices, "invoice")} ${were(undone.invoices)} ${undoneAs(receipt)}.`;
  }
  if (unresolved.invoices > 0)
    return `We don't know whether ${counted(unresolved.invoices, "invoice")} of this file ${unresolved.invoices === 1 ? "is" : "are"} in ${company}. See below.`;
  if (skipped.invoices > 0)
    return `This upload posted nothing: ${counted(skipped.invoices, "invoice")} ${were(skipped.invoices)} uploaded before.`;
  return `Nothing from this file is in ${company} now.`;
}

/** UI text for the receipt of an upload. */
export const receiptWords = {
  timeLeft: (seconds: number) =>
    seconds < 60 ? "Less than a minute left" : `About ${counted(Math.round(seconds / 60), "minute")} left`,
  posting: (done: number, all: number) => `${formatCount(done)} of ${counted(all, "invoice")} done`,
  corrections: (count: number) => counted(count, "correction"),
  leftOut: (left: Receipt["left_out"]) =>
    `You left out ${counted(left.length, "invoice")}: ${joinList(left.map(describeLeftOut))}.`,
  /** "Customer filled in: Mark Cho" */
  correction: (header: string, { was, value }: { was: string; value: string }) => {
    if (was === "") return `${header} filled in: ${value}`;
    return value === "" ? `${header} cleared: ${was}` : `${header} changed from ${was} to ${value}`;
  },
  title: (filename: string) => `Receipt for ${filename}`,
  /** Heading: the outcome of the upload in invoices. */
  heading: (receipt: Receipt) => {
    const { posted, open, undone, filename } = receipt;
    if (isReading(receipt)) return `Reading ${filename}`;
    if (open.invoices > 0) return `Posting ${counted(posted.invoices + open.invoices, "invoice")}`;
    if (posted.invoices === 0 && undone.invoices > 0)
      return `${counted(undone.invoices, "invoice")} ${undoneAs(receipt)}`;
    return posted.invoices === 0 ? "No invoices posted" : `${counted(posted.invoices, "invoice")} posted`;
  },
  /** Line below the heading: whether QuickBooks matches the file. */
  verdict: (receipt: Receipt) => {
    const { read, posted, open, agrees, company } = receipt;
    if (open.invoices > 0 || isReading(receipt)) return `To ${company}. You can close this page.`;
    if (matchesExcept(receipt)) return `Matches, except ${exceptions(receipt)}.`;
    if (!agrees) return "QuickBooks and your file don't match. See below.";
    if (posted.invoices === 0) return nothingPosted(receipt);
    // The others are counted next to it, each with what it needs.
    if (posted.invoices < read.invoices)
      return posted.invoices === 1
        ? "The posted invoice matches your file, to the cent."
        : `The ${formatCount(posted.invoices)} posted invoices match your file, to the cent.`;
    return posted.invoices === 1
      ? "Everything matches: the invoice is in QuickBooks, to the cent."
      : `Everything matches: all ${formatCount(posted.invoices)} invoices are in QuickBooks, to the cent.`;
  },
  loading: "Loading the receipt",
  receipt: "Receipt",
  facts: ({ filename, company, uploaded_at, uploaded_by, duration_seconds }: Receipt) =>
    [
      `${filename} to ${company}`,
      formatMoment(uploaded_at),
      uploaded_by,
      duration_seconds ? `took ${formatCount(duration_seconds)} s` : "",
    ]
      .filter(Boolean)
      .join(" · "),
  band: (filename: string) => `Totals of ${filename}`,
  unknown: "—",
  unit: (count: number) => (count === 1 ? "invoice" : "invoices"),
  totals: "Control totals",
  heads: ["Control totals", "Invoices", "Amount"] as readonly string[],
  outcomes: {
    read: "In your file",
    posted: "Posted",
    unanswered: "Need an answer",
    fix: "Need fixing",
    skipped: "Already uploaded",
    unresolved: "Not confirmed",
    stopped: "Stopped",
    open: "Still posting",
    undone: "Undone",
  },
  notPosted: {
    omitted: "Left out by you",
    unanswered: "Not posted, needs an answer",
    fix: "Not posted, needs fixing",
    skipped: "Not posted, already uploaded",
    unresolved: "Not confirmed by QuickBooks",
    stopped: "Not posted, stopped",
    open: "Still posting",
    undone: "Undone",
  },
  sent: "Sent to QuickBooks",
  found: "Found in QuickBooks",
  difference: "Difference",
  tax: (tax: string, total: string) => `QuickBooks added ${tax} in tax, for a total of ${total}.`,
  taxInFile: (tax: string, computed: string) =>
    tax === computed
      ? `Your file has the same sales tax: ${tax}.`
      : `Your file has ${tax} in sales tax; QuickBooks computed ${computed} for the same invoices. We don't send sales tax: check the tax settings of the customers and items in QuickBooks.`,
  differs: (amount: string) =>
    `What QuickBooks stored differs from your file by ${amount}. See the differences below.`,
  missing: (rows: number) =>
    `${counted(rows, "row")} of your file ${rows === 1 ? "isn't" : "aren't"} in any invoice on this receipt. If the results don't say why, contact us.`,
  ignored: ({ ignored }: Receipt) =>
    ignored.map(
      ({ header, sum, by, day }) =>
        `Left out as chosen: ${[header, sum].filter(Boolean).join(", ")}${by === null ? "" : ` (${[by, day].filter(Boolean).join(", ")})`}`,
    ),
  fileTotals: ({ file_totals: totals }: Receipt) => {
    const differing = totals.filter(({ agrees }) => !agrees);
    if (totals.length === 0) return null;
    const [text, listed] =
      differing.length > 0
        ? ["Totals in your file that don't match its rows", differing]
        : ["Totals in your file that match its rows", totals];
    return `${text}: ${listed.map(({ row, amount }) => `row ${row} (${amount})`).join(", ")}.`;
  },
  notYet: "These totals are final once everything is posted.",
  unreadable: (count: number) =>
    `We couldn't read the amount of ${counted(count, "invoice")}, so ${count === 1 ? "it counts" : "they count"} as zero.`,
  flags: (count: number) => `Differences (${formatCount(count)})`,
  flagsHint: "QuickBooks stored a different value than we sent for these invoices.",
  flagHeads: ["Invoice", "Customer", "Line", "Value", "Sent", "Stored"] as readonly string[],
  fields: {
    total: "Total",
    lines: "Number of lines",
    quantity: "Qty",
    rate: "Rate",
    amount: "Amount",
    po_number: "PO Number",
    ship_via: "Ship Via",
    ship_date: "Ship Date",
    discount: "Discount",
    shipping: "Shipping",
    deposit: "Deposit",
    tracking_no: "Tracking No",
    location: "Location",
    service_date: "Service Date",
    class: "Class",
  },
  notKept: "not kept",
  allLines: "all",
  /** Line of a receipt beside the form that its file was sent from. */
  sentLine: (receipt: Receipt) => `${receipt.filename} · ${receiptWords.verdict(receipt)}`,
  view: "View receipt",
  print: "Print receipt",
  back: "Back to uploads",
  another: "Upload another file",
  fix: (count: number) => `Fix ${counted(count, "invoice")}`,
  books: "See them in QuickBooks",
  undoHint: "You can undo an invoice until it's paid or changed in QuickBooks.",
} as const;
