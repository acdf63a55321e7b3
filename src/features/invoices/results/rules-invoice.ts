import { rowRanges } from "#formats/text/phrases.ts";
import type { SheetNames } from "#formats/text/sheet-rows.ts";
import { centsText } from "#platform/money.ts";
import type { LedgerInvoice } from "#features/invoices/contract.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { LedgerRow } from "#features/invoices/ledger/store-entries.ts";
import { undoneSentence } from "#features/invoices/results/sentences-results.ts";
import { undoSentence } from "#features/invoices/results/sentences-writes.ts";

/** Converts an invoice of an upload to its wire shape. @param about.sheets names of those that were read together */
export function toInvoice(
  ctx: InvoicesCtx,
  { realmId, sheets }: { realmId: string; sheets: SheetNames },
  row: LedgerRow,
): LedgerInvoice {
  const { qboId, undoCause, differences, postedTid } = row;
  // A voided invoice still has a page in QuickBooks, a deleted one has none.
  const hasPage = row.state !== "undone" || (row.undoAction === "void" && !undoCause);
  const problem = row.cause ?? undoCause;
  return {
    rows: rowRanges(row.rows, sheets),
    doc_number: row.docNumber,
    qbo_doc_number: row.qboDocNumber,
    customer: row.customerName,
    amount: row.amountCents === null ? null : centsText(row.amountCents),
    currency: row.currency,
    link: qboId && hasPage ? ctx.invoicePage({ realmId, id: qboId }) : null,
    intuit_tid: problem ? problem.tid : differences.length > 0 ? postedTid : null,
  };
}

/**
 * Describes the outcome of the last undo of an invoice, or why it was left; empty if no undo concerned it.
 * @param toDay converts a time to the company's local day; without it, the sentence has no day
 */
export function undoText(row: LedgerRow, toDay?: (moment: Date) => string): string {
  const number = row.qboDocNumber ?? row.docNumber;
  if (row.undoCause) return undoSentence(row.undoCause, { number });
  if (row.state !== "undone" || !row.undoAction || !row.undoneAt) return "";
  return undoneSentence({ invoices: 1, action: row.undoAction, day: toDay?.(row.undoneAt) ?? null, number });
}
