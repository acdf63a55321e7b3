import { rowRanges } from "#formats/text/phrases.ts";
import { centsText } from "#platform/money.ts";
import type { LedgerInvoice } from "#features/invoices/contract.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { LedgerRow } from "#features/invoices/ledger/store-entries.ts";
import { undoneSentence } from "#features/invoices/results/sentences-results.ts";
import { undoSentence } from "#features/invoices/results/sentences-writes.ts";

/** An invoice of an upload as the wire has it. */
export const toInvoice = (ctx: InvoicesCtx, realmId: string, row: LedgerRow): LedgerInvoice => ({
  rows: rowRanges(row.rows),
  doc_number: row.docNumber,
  qbo_doc_number: row.qboDocNumber,
  customer: row.customerName,
  amount: row.amountCents === null ? null : centsText(row.amountCents),
  currency: row.currency,
  link: row.qboId && isInBooks(row) ? ctx.invoicePage({ realmId, id: row.qboId }) : null,
  intuit_tid: findTid(row),
});

/** A voided invoice has a page still, a deleted one has not. */
const isInBooks = ({ state, undoAction, undoCause }: LedgerRow) =>
  state !== "undone" || (undoAction === "void" && !undoCause);

function findTid({ cause, undoCause, differences, postedTid }: LedgerRow): string | null {
  const problem = cause ?? undoCause;
  return problem ? problem.tid : differences.length > 0 ? postedTid : null;
}

/**
 * What the last undo made of an invoice, or why it left it; empty when none has dealt with it.
 * @param toDay the day of a moment where the company is; left out, the sentence has no day
 */
export function undoText(row: LedgerRow, toDay?: (moment: Date) => string): string {
  const number = row.qboDocNumber ?? row.docNumber;
  if (row.undoCause) return undoSentence(row.undoCause, { number });
  if (row.state !== "undone" || !row.undoAction || !row.undoneAt) return "";
  return undoneSentence({ invoices: 1, action: row.undoAction, day: toDay?.(row.undoneAt) ?? null, number });
}
