import { sheetNames } from "#formats/table/places.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { ObjectMissing } from "#integrations/objects/object-store.ts";
import { notFound } from "#platform/errors.ts";
import type { ProblemRows } from "#features/sheets/reading.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { findColumnChoices, readForRequest } from "#features/sheets/index.ts";
import type { ResultEntry } from "#features/invoices/results/rules-lines.ts";
import { problemReasons } from "#features/invoices/results/rules-results.ts";
import { loadProblems, toResultContext } from "#features/invoices/results/refresh-summary.ts";
import { toReasons } from "#features/invoices/results/sentences-results.ts";
import { uploadCauseSentence } from "#features/invoices/results/sentences-runs.ts";
import { findUpload, isPlanned, noUpload, type Upload } from "#features/invoices/ledger/store.ts";
import { findResultEntries } from "#features/invoices/results/store.ts";

/**
 * Writes a workbook of the rows of an upload that were certainly not posted, each with its reason. After
 * corrections, it can be uploaded unchanged. An invoice is included completely or not at all.
 * @throws AppError 404 for an unknown upload, or one without such rows
 */
export async function writeProblemRows(
  ctx: InvoicesCtx,
  realmId: string,
  uploadId: string,
): Promise<{ name: string; bytes: Uint8Array }> {
  const upload = await findUpload(ctx.db, realmId, uploadId);
  if (!upload) throw noUpload();
  const module = new URL("../workbook/extract-problem-rows.ts", import.meta.url);
  const bytes = await readForRequest<Uint8Array>(invoiceSheet, module, {
    bytes: () => readFile(ctx, upload),
    input: () => findProblemRows(ctx, upload),
    owner: realmId,
  });
  return { name: `${upload.fileName.replace(/\.(xlsx|csv|tsv|tab|txt)$/i, "")} - problem rows.xlsx`, bytes };
}

async function findProblemRows({ db }: InvoicesCtx, upload: Upload): Promise<ProblemRows> {
  const entries = isPlanned(upload) ? await findResultEntries(db, upload) : [];
  // Problems of other rows are warnings, which aren't reasons.
  const rejected = entries.filter(({ state }) => state === "rejected");
  await loadProblems(db, upload, rejected);
  // Resending an invoice that may be in the books could duplicate it.
  const surely = entries.filter(({ state }) => state !== "unresolved");
  const reasons = isPlanned(upload) ? listReasons(upload, surely) : findSharedReason(upload);
  if (reasons === null || ("length" in reasons && reasons.length === 0))
    throw notFound(surely.length < entries.length ? ONLY_UNKNOWN : NO_PROBLEMS);
  return {
    fileName: upload.fileName,
    reasons,
    chosen: await findColumnChoices(db, { realmId: upload.realmId, kind: invoiceSheet.kind }),
    corrections: upload.check?.corrections ?? [],
  };
}

async function readFile({ objects }: InvoicesCtx, { objectKey }: Upload): Promise<Buffer> {
  try {
    return await objects.read(objectKey);
  } catch (error) {
    if (error instanceof ObjectMissing) throw notFound(NO_FILE);
    throw error;
  }
}

/** Before the check, all rows share one reason, and their numbers are not known yet. */
const findSharedReason = ({ state, cause, id }: Upload) =>
  state === "stopped" && cause ? { all: uploadCauseSentence(cause, id) } : null;

function listReasons(upload: Upload, entries: readonly ResultEntry[]) {
  const about = { uploadId: upload.id, fileName: upload.fileName, sheets: sheetNames(upload.notes) };
  return problemReasons(entries, toResultContext(upload)).flatMap(({ row, statement }) =>
    toReasons(statement, about).map((reason) => ({
      row,
      ...reason,
    })),
  );
}

const NO_FILE =
  "The file of this upload is no longer stored here, so its rows can't be downloaded. Use your own copy.";
const NO_PROBLEMS = "This upload has no problem rows: every row was posted or is still being worked on.";
const ONLY_UNKNOWN =
  "There are no rows to correct: QuickBooks never confirmed whether the invoices of the problem rows were stored. Look for them in QuickBooks first.";
