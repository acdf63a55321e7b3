import type { Problem } from "#formats/table/problem.ts";
import { RESULT_STATUS } from "#features/invoices/contract.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import {
  countResults,
  countRows,
  joinResults,
  RESULTS_IN_LIST,
  type ResultEntry,
  type ResultsOf,
} from "#features/invoices/results/rules-results.ts";
import {
  findUpload,
  lockSummary,
  saveSummary,
  type Upload,
  type UploadId,
} from "#features/invoices/ledger/store.ts";
import type { ResultFacts, Summary } from "#features/invoices/ledger/tables.ts";
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
  if (!upload.planned) return saveSummary(tx, upload, unplannedSummary(upload));
  const about = resultsAbout(upload);
  const noteRows = upload.notes.map(({ row }) => row);
  const runs = await findResultRuns(tx, { upload, noteRows });
  const counts = countRows(runs, upload.dataRows);
  if (runs.length === 0) return saveSummary(tx, upload, { results: [NO_INVOICES], result_count: 1, counts });
  const { count, first, leads } = countResults(runs, about);
  const shown = first.flatMap((place) => runs[place] ?? []);
  const withFacts = [...leads].flatMap((place) => runs[place]?.seq ?? []);
  const entries = await inFull(tx, upload, { runs: shown, withFacts });
  const results = joinResults(entries, about, RESULTS_IN_LIST);
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
    return { ...run, ...(countOf.get(run) ?? { invoices: 1, number: null }) };
  });
}

const given = (facts: Problem | undefined) => (facts ? { facts } : {});

const firstRow = ({ rows }: ResultRun) => rows[0] ?? 0;

/** What all results of a planned upload depend on: what is ready says what it waits for. */
export const resultsAbout = ({ notes, phase, state, cause }: Upload): ResultsOf => ({
  notes,
  phase,
  waitsFor: state === "stopped" ? null : cause,
});

/** Every result of an upload, from its ledger; before the check there is one for all of it. */
export function resultsOf(upload: Upload, entries: readonly ResultEntry[]): ResultFacts[] {
  if (!upload.planned) return unplannedSummary(upload).results;
  return entries.length === 0 ? [NO_INVOICES] : joinResults(entries, resultsAbout(upload));
}

const NO_INVOICES: ResultFacts = {
  status: RESULT_STATUS.noResults,
  rows: [0, 0],
  says: { code: "no_invoices" },
};

/** What the list shows of an upload that is not checked yet. */
export function unplannedSummary({
  dataRows,
  state,
  cause,
}: Pick<Upload, "dataRows" | "state" | "cause">): Summary {
  const isStopped = state === "stopped";
  const status = isStopped
    ? RESULT_STATUS.failedTerminated
    : state === "working"
      ? RESULT_STATUS.working
      : RESULT_STATUS.queued;
  const says =
    state === "working"
      ? { code: "checking" as const }
      : cause
        ? { code: "upload" as const, cause }
        : { code: "blank" as const };
  const counts = { total: dataRows, completed: 0, problems: isStopped ? dataRows : 0 };
  return {
    results: [{ status, rows: [2, Math.max(dataRows, 1) + 1], says }],
    result_count: 1,
    counts: { ...counts, open: isStopped ? 0 : dataRows },
  };
}
