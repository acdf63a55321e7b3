import { sheetNames } from "#formats/table/places.ts";
import { RESULT_STATUS } from "#features/invoices/contract.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import {
  countByOutcome,
  countRows,
  joinResults,
  RESULTS_IN_LIST,
  toResult,
  type ResultContext,
} from "#features/invoices/results/rules-results.ts";
import {
  findUpload,
  isPlanned,
  lockSummary,
  saveSummary,
  type Upload,
  type UploadId,
} from "#features/invoices/ledger/store.ts";
import type { ResultFacts, Statement, Summary } from "#features/invoices/ledger/tables.ts";
import { firstAndLast, type JoinedLines, type ResultEntry } from "#features/invoices/results/rules-lines.ts";
import { findPosted, findProblems, findResultEntries } from "#features/invoices/results/store.ts";

/** Refreshes the summary of an upload from its ledger. */
export async function refreshSummary(ctx: InvoicesCtx, upload: UploadId): Promise<void> {
  await ctx.db.transaction().execute((tx) => withSummary(tx, upload, () => Promise.resolve()));
}

/**
 * Changes an upload and its summary in the transaction of `tx`, so that neither users nor a crash ever see
 * one without the other.
 */
export async function withSummary<T>(
  tx: Db,
  { realmId, id }: UploadId,
  change: () => Promise<T>,
): Promise<T> {
  // Before the change locks the upload's own row: taking both locks in different orders would deadlock.
  await lockSummary(tx, { realmId, id });
  const result = await change();
  const upload = await findUpload(tx, realmId, id);
  if (upload) await updateCounts(tx, upload);
  return result;
}

/**
 * Reads only the part of the ledger that the list shows, because this runs every second while an upload is
 * posted.
 */
async function updateCounts(tx: Db, upload: Upload): Promise<void> {
  if (!isPlanned(upload)) return saveSummary(tx, upload, unplannedSummary(upload));
  const entries = await findResultEntries(tx, upload);
  const counts = countRows(entries, upload.dataRows);
  const invoices = countByOutcome(entries);
  if (entries.length === 0)
    return saveSummary(tx, upload, { results: [NO_INVOICES], result_count: 1, counts, invoices });
  const joined = joinResults(entries, toResultContext(upload));
  const results = await withDetails(tx, upload, joined.slice(0, RESULTS_IN_LIST));
  const sheets = sheetNames(upload.notes);
  const summary = { results, result_count: joined.length, counts, invoices };
  return saveSummary(tx, upload, sheets.length > 0 ? { ...summary, sheets } : summary);
}

/**
 * Adds the facts of problems to results. Entries of one result share their problems, so reading those of its first entry is enough.
 */
async function withDetails(db: Db, upload: Upload, joined: readonly JoinedLines[]): Promise<ResultFacts[]> {
  await loadProblems(
    db,
    upload,
    joined.flatMap(({ lead }) => lead.entry ?? []),
  );
  const done = joined.filter(({ lead }) => lead.status === RESULT_STATUS.completed);
  const posted = await findPosted(
    db,
    upload,
    done.flatMap(({ lines }) => firstAndLast(lines)),
  );
  return joined.map((each) => toResult(each, posted));
}

/** Loads the facts of each problem of the given entries, and stores them in the problems. */
export async function loadProblems(db: Db, upload: Upload, entries: readonly ResultEntry[]): Promise<void> {
  const faulty = entries.filter(({ problems }) => problems.length > 0);
  const facts = await findProblems(
    db,
    upload,
    faulty.flatMap(({ seq }) => seq ?? []),
  );
  for (const { seq = -1, problems } of faulty)
    for (const [place, problem] of problems.entries()) problem.facts = facts.get(seq)?.[place];
}

/** Context for building results of a planned upload, including what its ready invoices wait for. */
export const toResultContext = ({ notes, stage, state, cause }: Upload): ResultContext => ({
  notes,
  stage,
  waitsFor: state === "stopped" ? null : cause,
});

/** Reads every result of an upload from its ledger; before the check there is one for the whole file. */
export async function readResults(db: Db, upload: Upload): Promise<ResultFacts[]> {
  if (!isPlanned(upload)) return unplannedSummary(upload).results;
  const entries = await findResultEntries(db, upload);
  return entries.length === 0
    ? [NO_INVOICES]
    : withDetails(db, upload, joinResults(entries, toResultContext(upload)));
}

const NO_INVOICES: ResultFacts = {
  status: RESULT_STATUS.noResults,
  rows: [0, 0],
  statement: { code: "no_invoices" },
};

/** Builds the summary of an upload that is not checked yet. */
export function unplannedSummary({
  dataRows,
  state,
  cause,
}: Pick<Upload, "dataRows" | "state" | "cause">): Summary {
  const isStopped = state === "stopped";
  const isWorking = state === "working";
  const { failedTerminated, working, queued } = RESULT_STATUS;
  const waits: Statement = cause ? { code: "upload", cause } : { code: "blank" };
  const status = isStopped ? failedTerminated : isWorking ? working : queued;
  const statement: Statement = isWorking ? { code: "checking" } : waits;
  const counts = { total: dataRows, completed: 0, problems: isStopped ? dataRows : 0 };
  return {
    results: [{ status, rows: [2, Math.max(dataRows, 1) + 1], statement }],
    result_count: 1,
    counts: { ...counts, open: isStopped ? 0 : dataRows },
    invoices: countByOutcome([]),
  };
}
