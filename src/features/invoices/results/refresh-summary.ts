import { RESULT_STATUS, type UploadResult } from "#features/invoices/contract.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import type { Db } from "#platform/db/connect.ts";
import {
  countRows,
  joinResults,
  RESULTS_IN_LIST,
  type ResultEntry,
} from "#features/invoices/results/rules-results.ts";
import {
  findUpload,
  lockSummary,
  saveSummary,
  type Upload,
  type UploadId,
} from "#features/invoices/store.ts";
import { findResultEntries } from "#features/invoices/results/store-entries.ts";

/** Writes what the list shows of an upload from what its ledger says now. */
export async function refreshSummary(ctx: InvoicesCtx, realmId: string, uploadId: string): Promise<void> {
  await withSummary(ctx, { realmId, id: uploadId }, () => Promise.resolve());
}

/**
 * Changes an upload and what the list shows of it in one transaction: nobody sees one without the other, and a process
 * that dies between them leaves neither.
 */
export async function withSummary<T>(
  ctx: InvoicesCtx,
  { realmId, id }: UploadId,
  change: (tx: Db) => Promise<T>,
): Promise<T> {
  return ctx.db.transaction().execute(async (tx) => {
    // Before the upload's own row is locked by the change: two who take both in another order would wait for ever.
    await lockSummary(tx, { realmId, id });
    const result = await change(tx);
    const upload = await findUpload(tx, realmId, id);
    if (upload) await countUp(tx, upload);
    return result;
  });
}

async function countUp(tx: Db, upload: Upload): Promise<void> {
  const entries = upload.planned ? await findResultEntries(tx, upload.realmId, upload.id) : [];
  const results = resultsOf(upload, entries);
  await saveSummary(tx, upload, {
    results: results.slice(0, RESULTS_IN_LIST),
    result_count: results.length,
    counts: upload.planned ? countRows(entries, upload.dataRows) : unplannedCounts(upload),
  });
}

/** Every result entry of an upload, from its ledger; before the check there is one line for all of it. */
export function resultsOf(upload: Upload, entries: readonly ResultEntry[]): UploadResult[] {
  if (!upload.planned) return [unplannedResult(upload)];
  if (entries.length === 0) {
    const message =
      "The workbook has no invoices below its header row. Fill in the template and upload it again.";
    return [{ status: RESULT_STATUS.noResults, rows: "", message }];
  }
  return joinResults(
    isWaiting(upload) ? entries.map((entry) => waitingEntry(entry, upload.reason)) : entries,
    upload.notes,
  );
}

const isWaiting = ({ state, reason }: Upload) => state === "paused" || (state === "queued" && reason !== "");

/** While an upload waits nothing is being sent, though a lost answer may still be open in the ledger. */
const waitingEntry = (entry: ResultEntry, reason: string): ResultEntry =>
  entry.state === "ready" || entry.state === "sending"
    ? { ...entry, state: "ready", message: reason }
    : entry;

function unplannedResult(upload: Upload): UploadResult {
  const rows = upload.dataRows > 1 ? `2-${upload.dataRows + 1}` : "2";
  if (upload.state === "working")
    return { status: RESULT_STATUS.working, rows, message: "Checking the workbook." };
  if (upload.state === "stopped")
    return { status: RESULT_STATUS.failedTerminated, rows, message: upload.reason };
  return { status: RESULT_STATUS.queued, rows, message: upload.reason };
}

const unplannedCounts = ({ dataRows, state }: Upload) => ({
  total: dataRows,
  completed: 0,
  problems: state === "stopped" ? dataRows : 0,
  open: state === "stopped" ? 0 : dataRows,
});
