import { centsText } from "#platform/money.ts";
import type { Difference } from "#features/books/contract.ts";
import type { Receipt, ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import type { EntryState } from "#features/invoices/ledger/tables.ts";

/** Sums of an upload's ledger rows in one state, in whole cents; of QuickBooks' answers only for those it answered. */
export type StateSums = {
  state: EntryState;
  invoices: number;
  cents: number;
  unreadable: number;
  totalCents: number;
  taxCents: number;
};

export type ReceiptState = ReceiptInvoice["state"];

/** Every state of the ledger is one of the receipt's, so that its shares cannot miss an invoice. */
export const RECEIPT_STATE: Record<EntryState, ReceiptState> = {
  ready: "open",
  sending: "open",
  undoing: "open",
  posted: "posted",
  rejected: "rejected",
  skipped: "skipped",
  unresolved: "unresolved",
  stopped: "stopped",
  undone: "undone",
};

type ControlTotals = Pick<
  Receipt,
  "read" | ReceiptState | "unreadable_amounts" | "books" | "difference" | "missing_rows" | "agrees"
>;

/** @param rows of the ledger, and of the file as it was counted when it was accepted, before any check */
export function controlTotals(
  sums: readonly StateSums[],
  rows: { ledger: number; file: number },
): ControlTotals {
  const share = (state: ReceiptState) => total(sums.filter((sum) => RECEIPT_STATE[sum.state] === state));
  const shares = {
    posted: share("posted"),
    rejected: share("rejected"),
    skipped: share("skipped"),
    unresolved: share("unresolved"),
    stopped: share("stopped"),
    open: share("open"),
    undone: share("undone"),
  };
  const { posted } = shares;
  const netCents = posted.totalCents - posted.taxCents;
  const all = total(Object.values(shares));
  return {
    read: shareOf(all),
    posted: shareOf(shares.posted),
    rejected: shareOf(shares.rejected),
    skipped: shareOf(shares.skipped),
    unresolved: shareOf(shares.unresolved),
    stopped: shareOf(shares.stopped),
    open: shareOf(shares.open),
    undone: shareOf(shares.undone),
    unreadable_amounts: all.unreadable,
    books: {
      invoices: posted.invoices,
      amount: centsText(netCents),
      tax: centsText(posted.taxCents),
      total: centsText(posted.totalCents),
    },
    difference: centsText(netCents - posted.cents),
    missing_rows: rows.file - rows.ledger,
    agrees: rows.ledger === rows.file && netCents === posted.cents,
  };
}

type Sums = Omit<StateSums, "state">;

const shareOf = ({ invoices, cents }: Sums) => ({ invoices, amount: centsText(cents) });

const total = (sums: readonly Sums[]): Sums =>
  sums.reduce(
    (one, other) => ({
      invoices: one.invoices + other.invoices,
      cents: one.cents + other.cents,
      unreadable: one.unreadable + other.unreadable,
      totalCents: one.totalCents + other.totalCents,
      taxCents: one.taxCents + other.taxCents,
    }),
    { invoices: 0, cents: 0, unreadable: 0, totalCents: 0, taxCents: 0 },
  );

/** What QuickBooks stored otherwise, in one sentence. */
export function differenceSentence(differences: readonly Difference[]): string {
  const parts = differences.map(({ field, line, sent, answered }) => {
    const where = line === null ? "" : ` of line ${line}`;
    const name = field === "lines" ? "number of lines" : field.replace("_", " ");
    if (answered === "") return `${name}${where} ${sent} was not kept`;
    return `${name}${where} ${answered} in place of ${sent}`;
  });
  return `QuickBooks stored another value than was sent: ${parts.join("; ")}.`;
}
