import { problemText } from "#features/invoices/results/sentences-problems.ts";
import type { Company } from "#features/companies/index.ts";
import { notFound } from "#platform/errors.ts";
import { centsText } from "#platform/money.ts";
import { createSentence, undoneMessage } from "#features/invoices/results/sentences-writes.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { Receipt, ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { controlTotals, differenceSentence, RECEIPT_STATE } from "#features/invoices/receipt/rules.ts";
import {
  findFlagged,
  findReceiptHead,
  findReceiptRows,
  sumLedger,
  type ReceiptRow,
} from "#features/invoices/receipt/store.ts";
import { dayOf, rowRanges } from "#formats/text/phrases.ts";
import { undoneSentence } from "#features/invoices/results/sentences-results.ts";

/** Flagged invoices that are listed. */
const MAX_FLAGS = 1_000;

type Page = { uploadId: string; after: number; limit: number };

/**
 * The receipt of an upload: totals of all of it, and one page of its invoices. It is read from the ledger alone, and
 * its totals from one moment of it.
 * @throws AppError 404 when the company has no such upload
 */
export async function readReceipt(ctx: InvoicesCtx, company: Company, page: Page): Promise<Receipt> {
  const upload = { realmId: company.realmId, id: page.uploadId };
  const head = await findReceiptHead(ctx.db, upload);
  if (!head) throw notFound("This company has no such upload. Reload the page to see its uploads.");
  const { sums, rows: ledger, currencies } = await sumLedger(ctx.db, upload);
  const flagged = await findFlagged(ctx.db, upload, MAX_FLAGS);
  const rows = await findReceiptRows(ctx.db, upload, page);
  const { uploaded_at: from, finished_at: until } = head;
  return {
    upload_id: head.id,
    filename: head.file_name,
    company: company.name,
    uploaded_by: head.uploaded_by,
    uploaded_at: from.toISOString(),
    finished_at: until?.toISOString() ?? null,
    duration_seconds: until ? Math.max(0, Math.round((until.getTime() - from.getTime()) / 1000)) : null,
    currencies,
    ...controlTotals(sums, { ledger, file: head.data_rows }),
    flags: flagged.rows.map((row) => ({
      ...invoiceToWire(ctx, company.realmId, row),
      differences: row.differences,
    })),
    flag_count: flagged.count,
    invoices: rows.map((row) => invoiceToWire(ctx, company.realmId, row)),
    next: rows.length === page.limit ? (rows.at(-1)?.seq ?? null) : null,
  };
}

function invoiceToWire(ctx: InvoicesCtx, realmId: string, row: ReceiptRow): ReceiptInvoice {
  return {
    rows: rowRanges(row.row_numbers),
    doc_number: row.doc_number,
    qbo_doc_number: row.qbo_doc_number,
    customer: row.customer_name,
    amount: textOf(row.amount_cents),
    currency: row.currency,
    qbo_total: textOf(row.qbo_total_cents),
    qbo_tax: textOf(row.qbo_tax_cents),
    link: row.qbo_id && isInBooks(row) ? ctx.invoicePage({ realmId, id: row.qbo_id }) : null,
    state: RECEIPT_STATE[row.state],
    intuit_tid: tidOf(row),
    sentence: sentenceOf(row),
  };
}

function tidOf({
  cause,
  undo_cause: undoCause,
  differences,
  posted_tid: postedTid,
}: ReceiptRow): string | null {
  const problem = cause ?? undoCause;
  return problem ? problem.tid : differences.length > 0 ? postedTid : null;
}

const textOf = (cents: number | null) => (cents === null ? null : centsText(cents));

/** A voided invoice has a page still, a deleted one has not. */
const isInBooks = (row: ReceiptRow) =>
  row.state !== "undone" || (row.undo_action === "void" && undoneMessage(row) === "");

function sentenceOf(row: ReceiptRow): string {
  const { state, undo_action: action, undone_at: at } = row;
  const undoMessage = undoneMessage(row);
  if (state === "undone" && !undoMessage && action && at)
    return undoneSentence({ invoices: 1, action, day: dayOf(at), number: row.qbo_doc_number });
  if (state === "undone" || state === "undoing") return undoMessage;
  if (state === "posted") {
    const differs = row.differences.length > 0 ? differenceSentence(row.differences) : "";
    return [differs, undoMessage].filter(Boolean).join("\n");
  }
  const { cause, doc_number: docNumber, txn_date: txnDate } = row;
  if (cause) return createSentence(cause, { docNumber, txnDate });
  const errors = row.problems
    .filter(({ severity }) => severity === "error")
    .map((problem) => problemText(problem));
  return [...new Set(errors)].join("\n");
}
