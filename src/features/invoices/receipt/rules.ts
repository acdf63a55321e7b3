import { centsText } from "#platform/money.ts";
import type { Difference } from "#features/books/contract.ts";
import type { UndoAction } from "#features/invoices/contract.ts";
import { sumShares } from "#features/invoices/ledger/rules-shares.ts";
import type { EntryState } from "#features/invoices/ledger/tables.ts";
import type { Receipt, ReceiptInvoice } from "#features/invoices/receipt/contract.ts";

/** Sums over an upload's ledger rows in one state, or over all, in whole cents. */
export type Sums = {
  /** Null for all of them. */
  state: EntryState | null;
  invoices: number;
  rows: number;
  cents: number;
  unreadable: number;
  /** Rejected invoices with no problem but unknown names. */
  unanswered: number;
  unansweredCents: number;
  /** Sum of QuickBooks' answered totals, if any. */
  totalCents: number;
  taxCents: number;
  /** Tax in the file; null if it has none. */
  fileTaxCents: number | null;
  /** Tax that QuickBooks answered for the same invoices. */
  comparedTaxCents: number;
  currencies: string[];
  undoActions: UndoAction[];
};

type Counted = Pick<Sums, "invoices" | "cents">;

type ReceiptState = ReceiptInvoice["state"];

/** Maps every ledger state to one of the receipt's, so that no invoice can be missing. */
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

/**
 * @param dataRows rows of the file, counted before invoices were formed
 * @param omitted invoices that users left out in the review, which no ledger has
 */
export function controlTotals(sums: readonly Sums[], dataRows: number, omitted: Counted) {
  const of = (wanted: EntryState | null) => sums.find(({ state }) => state === wanted) ?? NOTHING;
  const all = of(null);
  const posted = of("posted");
  const share = (wanted: ReceiptState) =>
    sumShares(sums.filter(({ state }) => state && RECEIPT_STATE[state] === wanted));
  const { fileTaxCents: fileTax, comparedTaxCents: computed } = posted;
  const netCents = posted.totalCents - posted.taxCents;
  const missing = dataRows - all.rows;
  return {
    currencies: all.currencies,
    read: sumShares([all, omitted]),
    omitted: sumShares([omitted]),
    posted: share("posted"),
    rejected: share("rejected"),
    unanswered: sumShares([{ invoices: of("rejected").unanswered, cents: of("rejected").unansweredCents }]),
    skipped: share("skipped"),
    unresolved: share("unresolved"),
    stopped: share("stopped"),
    open: share("open"),
    undone: share("undone"),
    undo_actions: all.undoActions,
    unreadable_amounts: all.unreadable,
    books: {
      invoices: posted.invoices,
      amount: centsText(netCents),
      tax: centsText(posted.taxCents),
      total: centsText(posted.totalCents),
    },
    tax_in_file: fileTax === null ? null : { amount: centsText(fileTax), computed: centsText(computed) },
    difference: centsText(netCents - posted.cents),
    missing_rows: missing,
    agrees: missing === 0 && netCents === posted.cents && (fileTax ?? computed) === computed,
  } satisfies Partial<Receipt>;
}

const NOTHING = {
  invoices: 0,
  rows: 0,
  cents: 0,
  unreadable: 0,
  unanswered: 0,
  unansweredCents: 0,
  totalCents: 0,
  taxCents: 0,
  fileTaxCents: null,
  comparedTaxCents: 0,
  currencies: [],
  undoActions: [],
};

const FIELD_NAMES: Partial<Record<Difference["field"], string>> = {
  lines: "number of lines",
  po_number: "PO number",
};

/** Names the values that QuickBooks stored differently, in one sentence. */
export function differenceSentence(differences: readonly Difference[]): string {
  const parts = differences.map(({ field, line, sent, answered }) => {
    const where = line === null ? "" : ` of line ${line}`;
    const name = FIELD_NAMES[field] ?? field.replace("_", " ");
    if (answered === "") return `${name}${where} ${sent} wasn't kept`;
    return `${name}${where} ${answered} instead of ${sent}`;
  });
  return `QuickBooks stored a different value than we sent: ${parts.join("; ")}.`;
}
