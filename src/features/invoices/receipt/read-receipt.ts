import { sheetNames } from "#formats/table/places.ts";
import type { Problem } from "#formats/table/problem.ts";
import { numberRow, rowText, sheetIndex, type SheetNames } from "#formats/text/sheet-rows.ts";
import { findTimeZone, type Company } from "#features/companies/index.ts";
import { type Corrected, isLeftOut } from "#formats/table/corrections.ts";
import { dayIn } from "#formats/text/phrases.ts";
import { listParam, textParam } from "#formats/facts.ts";
import { centsText } from "#platform/money.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { toCorrections } from "#features/invoices/check/sentences.ts";
import { noUpload } from "#features/invoices/ledger/store.ts";
import type { Receipt, ReceiptInvoice } from "#features/invoices/receipt/contract.ts";
import { controlTotals, differenceSentence, RECEIPT_STATE } from "#features/invoices/receipt/rules.ts";
import {
  findFlagged,
  findReceiptHead,
  findReceiptRows,
  sumLedger,
  type Page,
  type ReceiptRow,
} from "#features/invoices/receipt/store.ts";
import { nameUploaders } from "#features/invoices/results/list-uploads.ts";
import { toInvoice, undoText } from "#features/invoices/results/rules-invoice.ts";
import { problemText } from "#features/invoices/results/sentences-problems.ts";
import { createSentence } from "#features/invoices/results/sentences-writes.ts";

/** Maximum number of listed flagged invoices. */
const MAX_FLAGS = 1_000;

/**
 * Reads the receipt of an upload: totals of all its invoices, and one page of them. Uses only the ledger, and
 * reads all totals at one point in time.
 * @throws AppError 404 for an unknown upload
 */
export async function readReceipt(
  ctx: InvoicesCtx,
  company: Company,
  { uploadId, ...page }: Page & { uploadId: string },
): Promise<Receipt> {
  const upload = { realmId: company.realmId, id: uploadId };
  const head = await findReceiptHead(ctx.db, upload);
  if (!head) throw noUpload();
  const { filename, uploadedAt, finishedAt, dataRows, corrections, notes } = head;
  const sheets = sheetNames(notes);
  const totals = controlTotals(await sumLedger(ctx.db, upload), dataRows, sumLeftOut(corrections));
  const ignored = notes
    .filter(({ code }) => code === "money_ignored")
    .map(({ value, params }) => ({
      header: value,
      sum: textParam(params, "sum") || null,
      by: textParam(params, "by") || null,
      day: textParam(params, "day") || null,
    }));
  const unreadSheets = notes
    .filter(({ code }) => code === "sheet_not_read" || code === "sheet_left_out")
    .map(({ value }) => value);
  const fileTotals = notes
    .filter(({ code }) => code === "file_totals")
    .flatMap((note) => toFileTotals(note, sheets));
  const flagged = await findFlagged(ctx.db, upload, MAX_FLAGS);
  const rows = await findReceiptRows(ctx.db, upload, page);
  const toDay = dayIn(await findTimeZone(ctx.db, company.realmId));
  const toWire = (row: ReceiptRow): ReceiptInvoice => ({
    ...toInvoice(ctx, { realmId: company.realmId, sheets }, row),
    date: row.date,
    due_date: row.dueDate ?? row.derivedDue,
    is_due_derived: row.dueDate === null && row.derivedDue !== null,
    lines: (row.lineRows ?? row.rows).length,
    // An undone invoice is no longer in QuickBooks, or has zero amounts.
    qbo_total: row.state === "undone" ? null : toMoney(row.totalCents),
    qbo_tax: row.state === "undone" ? null : toMoney(row.taxCents),
    state: RECEIPT_STATE[row.state],
    is_unanswered: row.isUnanswered,
    sentence: toSentence(row, toDay, sheets),
    ...(row.state === "unresolved" && { seq: row.seq }),
  });
  return {
    upload_id: uploadId,
    filename,
    company: company.name,
    uploaded_by: (await nameUploaders(ctx.db, [head]))(head),
    uploaded_at: uploadedAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
    duration_seconds:
      finishedAt && Math.max(0, Math.round((finishedAt.getTime() - uploadedAt.getTime()) / 1000)),
    ...totals,
    ignored,
    unread_sheets: unreadSheets,
    file_totals: fileTotals,
    agrees:
      totals.agrees &&
      ignored.length === 0 &&
      unreadSheets.length === 0 &&
      fileTotals.every(({ agrees }) => agrees),
    ...toCorrections(corrections, sheets),
    flags: flagged.rows.map((row) => ({ ...toWire(row), differences: row.differences })),
    flag_count: flagged.count,
    invoices: rows.map(toWire),
    next: rows.length === page.limit ? (rows.at(-1)?.seq ?? null) : null,
  };
}

/** Totals of a sheet; the remark is in a row of it. */
function toFileTotals({ row, params }: Problem, sheets: SheetNames): Receipt["file_totals"] {
  const [amounts, differing] = [listParam(params, "amounts"), listParam(params, "differing").map(Number)];
  return listParam(params, "rows").map((own, at) => ({
    row: rowText(numberRow(sheetIndex(row), Number(own)), sheets),
    amount: amounts[at] ?? "",
    agrees: !differing.includes(Number(own)),
  }));
}

/** Money that could not be read counts as zero, as in every sum. */
function sumLeftOut(corrections: readonly Corrected[]) {
  const left = corrections.filter(isLeftOut);
  return { invoices: left.length, cents: left.reduce((sum, { record }) => sum + (record?.cents ?? 0), 0) };
}

const toMoney = (cents: number | null) => (cents === null ? null : centsText(cents));

function toSentence(row: ReceiptRow, toDay: (moment: Date) => string, sheets: SheetNames): string {
  const { state, cause, docNumber, txnDate, differences } = row;
  if (state === "undone" || state === "undoing") return undoText(row, toDay);
  if (state === "posted") {
    const differs = differences.length > 0 ? differenceSentence(differences) : "";
    return [differs, undoText(row, toDay)].filter(Boolean).join("\n");
  }
  if (cause) return createSentence(cause, { docNumber, txnDate });
  const errors = row.problems
    .filter(({ severity }) => severity === "error")
    .map((problem) => problemText(problem, { sheets }));
  return [...new Set(errors)].join("\n");
}
