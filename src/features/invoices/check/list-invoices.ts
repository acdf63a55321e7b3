import type { InvoiceDraft } from "#features/books/index.ts";
import type {
  ComparedInvoice,
  ReviewInvoice,
  ReviewLine,
  ReviewProblem,
} from "#features/invoices/check/contract.ts";
import { noCheck } from "#features/invoices/check/read-check.ts";
import {
  type CheckedRow,
  findChecked,
  findCheckedRows,
  findFaulty,
  findPosted,
} from "#features/invoices/check/store-invoices.ts";
import { findUpload, type UploadId } from "#features/invoices/ledger/store.ts";
import type { EntryState } from "#features/invoices/ledger/tables.ts";
import { isUnknownName } from "#features/invoices/results/list-unknown-names.ts";
import { isField, problemSentence } from "#features/invoices/results/sentences-problems.ts";
import { differenceSentence } from "#features/invoices/results/sentences-writes.ts";
import { fieldHeader } from "#features/invoices/workbook/rules-sheet.ts";
import { withDecimalPoint } from "#formats/table/numbers.ts";
import { typedDateOrder } from "#formats/table/date-order.ts";
import type { Problem } from "#formats/table/problem.ts";
import { rowRanges } from "#formats/text/phrases.ts";
import { rowText, type SheetNames } from "#formats/text/sheet-rows.ts";
import { sheetNames } from "#formats/table/places.ts";
import { besideFile } from "#features/sheets/reading.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { notFound } from "#platform/errors.ts";
import { centsText } from "#platform/money.ts";

/** Lists every invoice of a check as it would be posted. @throws AppError 404 for an unknown check */
export async function listCheckInvoices(
  { db }: Ctx,
  upload: UploadId,
): Promise<{ revision: number; invoices: ReviewInvoice[] }> {
  const { revision, sheets } = await findCheck(db, upload);
  const rows = await findCheckedRows(db, upload);
  return { revision, invoices: rows.map((row) => toReviewInvoice(row, sheets)) };
}

/**
 * Reads the lines of one of them, as far as they could be read if it has an error, its problems, and the same invoice as
 * posted before.
 */
export async function readCheckInvoice(
  { db }: Ctx,
  upload: UploadId,
  seq: number,
): Promise<{ lines: ReviewLine[]; problems: ReviewProblem[]; posted: ComparedInvoice | null }> {
  const { sheets } = await findCheck(db, upload);
  const found = await findChecked(db, upload, seq);
  if (!found) throw notFound("We can't find this invoice in the check. Reload the page.");
  const { draft, read, problems } = found;
  const ofRow = Map.groupBy(problems, ({ row }) => row);
  const lines = (draft ? toLines(draft, found) : (read?.lines ?? [])).map((line) => ({
    ...line,
    place: rowText(line.row, sheets),
    filled: (ofRow.get(line.row) ?? []).flatMap(filledBy),
  }));
  return {
    lines,
    problems: problems.map((problem) => toReviewProblem(problem, sheets)),
    posted: await readPosted(db, upload, found),
  };
}

type Placed = { rows: readonly number[]; lineRows: readonly number[] | null };

/** Lines with their rows. Discount and shipping follow the lines and belong to the first row. */
const toLines = ({ Line }: InvoiceDraft, { rows, lineRows }: Placed) =>
  Line.map((line, index) => ({ row: (lineRows ?? rows)[index] ?? rows[0] ?? 0, ...toLine(line) }));

/** Reads an invoice as an earlier upload posted it, if it did. */
async function readPosted(db: Db, { realmId }: UploadId, row: Skipped): Promise<ComparedInvoice | null> {
  const earlier = findEarlier(row);
  if (!earlier) return null;
  const { upload, number } = earlier;
  const posted = await findPosted(db, { realmId, id: upload }, { number, row: row.rows[0] ?? 0 });
  if (!posted?.draft) return null;
  const { draft, customerName: customer, amountCents } = posted;
  return {
    customer,
    date: draft.TxnDate,
    due_date: draft.DueDate ?? null,
    amount: amountCents === null ? null : centsText(amountCents),
    lines: toLines(draft, posted).map((line) => ({ ...line, place: rowText(line.row), filled: [] })),
  };
}

/** Values that a warning reports as filled in for blank cells. */
function filledBy({ code }: Problem): ReviewLine["filled"] {
  if (code === "qty_derived") return [{ field: "qty", from: "sheet" }];
  if (code === "rate_derived") return [{ field: "rate", from: "sheet" }];
  return code === "rate_from_books" ? [{ field: "rate", from: "books" }] : [];
}

/** Lists the errors of a check for a page of invoices, each complete. */
export async function listCheckErrors({ db }: Ctx, upload: UploadId, page: { after: number; limit: number }) {
  const { sheets } = await findCheck(db, upload);
  const faulty = await findFaulty(db, upload, page);
  const errors = faulty.flatMap(({ seq, docNumber, problems }) =>
    problems
      .filter(({ severity }) => severity === "error")
      .map((problem) => ({
        ...toReviewProblem(problem, sheets),
        date_order: typedDateOrder(problem),
        seq,
        doc_number: docNumber,
      })),
  );
  return { errors, next: faulty.length < page.limit ? null : (faulty.at(-1)?.seq ?? null) };
}

async function findCheck(
  db: Db,
  { realmId, id }: UploadId,
): Promise<{ revision: number; sheets: SheetNames }> {
  const upload = await findUpload(db, realmId, id);
  if (!upload?.check) throw noCheck();
  return { revision: upload.check.revision, sheets: sheetNames(upload.notes) };
}

function toReviewInvoice(row: CheckedRow, sheets: SheetNames): ReviewInvoice {
  const { seq, rows, docNumber, date, dueDate, termsDue, amountCents, currency } = row;
  const posted = toPostedBefore(row);
  return {
    seq,
    rows: rowRanges(rows, sheets),
    doc_number: docNumber,
    customer: row.customerName,
    date,
    due_date: dueDate ?? termsDue,
    is_due_derived: dueDate === null && termsDue !== null,
    lines: (row.lineRows ?? rows).length,
    amount: amountCents === null ? null : centsText(amountCents),
    currency,
    state: posted
      ? "posted"
      : row.state === "rejected" && row.codes.every(isUnknownName)
        ? "answer"
        : STATE[row.state],
    posted,
  };
}

/** Codes for invoices that an earlier upload posted. */
const POSTED_CODES: ReadonlySet<string> = new Set(["same_file", "posted_number"]);

type Skipped = Pick<CheckedRow, "state" | "cause" | "rows">;

/** The upload that posted an invoice that the plan skips; null for others, and while that is not certain. */
function findEarlier({ state, cause }: Skipped) {
  if (state !== "skipped" || !cause || !POSTED_CODES.has(cause.code)) return null;
  const { upload, number, books } = cause.params;
  if (typeof upload !== "string" || (books !== "there" && books !== "posted")) return null;
  return { upload, number: typeof number === "string" ? number : null, params: cause.params };
}

function toPostedBefore(row: CheckedRow): ReviewInvoice["posted"] {
  const earlier = findEarlier(row);
  if (!earlier) return null;
  const { file, day, by, cents, customer } = earlier.params;
  const amountCents = typeof cents === "number" ? cents : null;
  return {
    upload_id: earlier.upload,
    filename: String(file),
    day: String(day),
    by: String(by),
    doc_number: earlier.number,
    amount: amountCents === null ? null : centsText(amountCents),
    differs: differenceSentence({ customerName: String(customer), amountCents }, row),
  };
}

/** In the review, a ready invoice stays ready once posting has started. */
const STATE: Record<EntryState, ReviewInvoice["state"]> = {
  ready: "ready",
  sending: "ready",
  posted: "ready",
  unresolved: "ready",
  undoing: "ready",
  undone: "ready",
  rejected: "fix",
  skipped: "skipped",
  stopped: "held",
};

function toReviewProblem(problem: Problem, sheets: SheetNames): ReviewProblem {
  const { code, severity, row, field, value } = problem;
  return {
    code,
    severity,
    text: problemSentence(problem, besideFile(sheets)),
    row,
    place: rowText(row, sheets),
    field: problem.params["isFurther"] ? null : field,
    header: isField(field) ? fieldHeader(field) : null,
    value,
    suggestion: code === "not_a_number" ? withDecimalPoint(value) : null,
  };
}

function toLine(line: InvoiceDraft["Line"][number]): Omit<ReviewLine, "row" | "place" | "filled"> {
  if (line.DetailType === "DescriptionOnly")
    return { item: null, description: line.Description, qty: null, rate: null, amount: null };
  if (line.DetailType === "DiscountLineDetail") {
    const { DiscountLineDetail: detail, Amount } = line;
    const item = detail.PercentBased ? `Discount ${detail.DiscountPercent}%` : "Discount";
    return { item, description: "", qty: null, rate: null, amount: -Amount };
  }
  const { ItemRef, Qty = null, UnitPrice = null } = line.SalesItemLineDetail;
  const { Description = "", Amount } = line;
  return { item: ItemRef.name ?? null, description: Description, qty: Qty, rate: UnitPrice, amount: Amount };
}
