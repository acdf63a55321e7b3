import { notFound } from "#platform/errors.ts";
import type { ProblemRows } from "#features/invoices/workbook/extract-rows.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { resultsOf } from "#features/invoices/results/refresh-summary.ts";
import { filterResults, type ResultEntry } from "#features/invoices/results/rules-results.ts";
import { findColumnChoices } from "#features/invoices/choices/store.ts";
import { findUpload, type Upload } from "#features/invoices/store.ts";
import { findResultEntries } from "#features/invoices/results/store-entries.ts";
import { runForRequest } from "#features/invoices/workbook/run-for-request.ts";

/**
 * The workbook of an upload with only the rows that were surely not posted, each with the reason beside it. Corrected,
 * it can be uploaded as it is. An invoice is there whole, or not at all.
 * @throws AppError 404 when the company has no such upload or it has no such rows
 */
export async function writeProblemRows(
  ctx: InvoicesCtx,
  realmId: string,
  uploadId: string,
): Promise<{ name: string; bytes: Uint8Array }> {
  const upload = await findUpload(ctx.db, realmId, uploadId);
  if (!upload) throw notFound("This company has no such upload. Reload the page to see its uploads.");
  const entries = upload.planned ? await findResultEntries(ctx.db, realmId, uploadId) : [];
  // Sent again in a corrected file, an invoice that may be in the books would be there twice.
  const surely = entries.filter(({ state }) => state !== "unknown");
  const problems = upload.planned && surely.length === 0 ? [] : problemsOf(upload, surely);
  if (problems.length === 0) throw notFound(surely.length < entries.length ? ONLY_UNKNOWN : NO_PROBLEMS);
  // Before the check nobody has looked at the rows: they share one reason, and their numbers are not known yet.
  const reasons = upload.planned
    ? problems.flatMap(({ rows, message }) => rowsOf(rows).map((row) => ({ row, reason: message })))
    : { all: problems[0]?.message ?? "" };
  const input: ProblemRows = { reasons, chosen: await findColumnChoices(ctx.db, realmId) };
  const bytes = await runForRequest<Uint8Array>(new URL("../workbook/extract-rows.ts", import.meta.url), {
    bytes: await ctx.objects.read(upload.objectKey),
    input,
  });
  return { name: `${upload.fileName.replace(/\.(xlsx|csv|tsv|tab|txt)$/i, "")} - problem rows.xlsx`, bytes };
}

const problemsOf = (upload: Upload, entries: readonly ResultEntry[]) =>
  filterResults(resultsOf(upload, entries), "problems");

const NO_PROBLEMS = "This upload has no problem rows: every row was posted or is still being worked on.";
const ONLY_UNKNOWN =
  "There are no rows to correct: QuickBooks never told whether the invoices of the problem rows were stored. Look for them in QuickBooks first.";

/** Row numbers of "5" or "5-9". */
function rowsOf(range: string): number[] {
  const [first = 0, last = first] = range.split("-").map(Number);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
