import type { Problem } from "#formats/table/problem.ts";
import { RESULT_STATUS, type UploadResult } from "#features/invoices/contract.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import {
  countResults,
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
} from "#features/invoices/ledger/store.ts";
import { findProblems } from "#features/invoices/results/store-entries.ts";
import { countRuns, findResultRuns, type ResultRun } from "#features/invoices/results/store-runs.ts";

/** Writes what the list shows of an upload from what its ledger says now. */
export async function refreshSummary(ctx: InvoicesCtx, realmId: string, uploadId: string): Promise<void> {
  await ctx.db
    .transaction()
    .execute((tx) => withSummary(tx, { realmId, id: uploadId }, () => Promise.resolve()));
}

/**
 * Changes an upload and what the list shows of it in the transaction of `tx`: nobody sees one without the other, and a process
 * that dies between them leaves neither.
 */
export async function withSummary<T>(
  tx: Db,
  { realmId, id }: UploadId,
  change: () => Promise<T>,
): Promise<T> {
  // Before the upload's own row is locked by the change: two who take both in another order would wait for ever.
  await lockSummary(tx, { realmId, id });
  const result = await change();
  const upload = await findUpload(tx, realmId, id);
  if (upload) await countUp(tx, upload);
  return result;
}

/** Reads of the ledger no more than the list shows: this runs again and again while an upload is posted. */
async function countUp(tx: Db, upload: Upload): Promise<void> {
  if (!upload.planned) {
    const results = [unplannedResult(upload)];
    return saveSummary(tx, upload, { results, result_count: 1, counts: unplannedCounts(upload) });
  }
  const noteRows = upload.notes.map(({ row }) => row);
  const runs = await findResultRuns(tx, { upload, noteRows });
  const counts = countRows(runs, upload.dataRows);
  if (runs.length === 0) return saveSummary(tx, upload, { results: [NO_INVOICES], result_count: 1, counts });
  const { count, first, leads } = countResults(toldEntries(upload, runs), upload.notes);
  const shown = first.flatMap((place) => runs[place] ?? []);
  const withFacts = [...leads].flatMap((place) => runs[place]?.seq ?? []);
  const told = toldEntries(upload, await inFull(tx, upload, { runs: shown, withFacts }));
  const results = joinResults(told, upload.notes, RESULTS_IN_LIST);
  return saveSummary(tx, upload, { results, result_count: count, counts });
}

/** Runs with the number of their invoices, and some of them, by their `seq`, with the facts of their problems. */
async function inFull(
  tx: Db,
  upload: Upload,
  { runs, withFacts }: { runs: readonly ResultRun[]; withFacts: readonly number[] },
): Promise<ResultEntry[]> {
  const problems = await findProblems(tx, upload, withFacts);
  const joined = runs
    .filter(({ seq }) => seq === null)
    .toSorted((one, other) => firstRow(one) - firstRow(other));
  const ranges = joined.map(({ rows }) => ({ first: rows[0] ?? 0, last: rows.at(-1) ?? 0 }));
  const counts = await countRuns(tx, upload, ranges);
  const countOf = new Map(joined.map((run, place) => [run, counts[place]]));
  return runs.map((run) => {
    if (run.seq !== null) {
      const facts = problems.get(run.seq);
      return { ...run, problems: run.problems.map((each, place) => ({ ...each, ...given(facts?.[place]) })) };
    }
    const { invoices = 1, number = null } = countOf.get(run) ?? {};
    return { ...run, invoices, undone: run.undone ? { ...run.undone, number } : null };
  });
}

const given = (facts: Problem | undefined) => (facts ? { facts } : {});

const firstRow = ({ rows }: ResultRun) => rows[0] ?? 0;

/** Every result entry of an upload, from its ledger; before the check there is one line for all of it. */
export function resultsOf(upload: Upload, entries: readonly ResultEntry[]): UploadResult[] {
  if (!upload.planned) return [unplannedResult(upload)];
  if (entries.length === 0) return [NO_INVOICES];
  return joinResults(toldEntries(upload, entries), upload.notes);
}

const NO_INVOICES: UploadResult = {
  status: RESULT_STATUS.noResults,
  rows: "",
  message: "The workbook has no invoices below its header row. Fill in the template and upload it again.",
};

/** What is ready says what it waits for: to be asked for, to be sent, or with its whole upload. */
function toldEntries(upload: Upload, entries: readonly ResultEntry[]): ResultEntry[] {
  if (isWaiting(upload)) return entries.map((entry) => waitingEntry(entry, upload.reason));
  const sentence =
    upload.phase === "check" ? "Would be posted." : "Checked; waiting to be sent to QuickBooks.";
  return entries.map((entry) =>
    entry.state === "ready" && entry.message === "" ? { ...entry, message: sentence } : entry,
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
