import type { Problem } from "#formats/table/problem.ts";
import { toRanges } from "#formats/text/phrases.ts";
import type { Cause as RunCause } from "#platform/runs/types.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import { centsText } from "#platform/money.ts";
import {
  type InvoiceCounts,
  PROBLEM_STATUSES,
  RESULT_STATUS,
  type ResultFilter,
  type UploadCounts,
} from "#features/invoices/contract.ts";
import { listCurrencies } from "#features/invoices/ledger/rules-shares.ts";
import { namesInvoice } from "#features/invoices/results/sentences-writes.ts";
import {
  countInvoices,
  firstAndLast,
  joinLines,
  collectTids,
  listPlaces,
  type JoinedLines,
  type Line,
  type ResultEntry,
  type ShownProblem,
} from "#features/invoices/results/rules-lines.ts";
import type { InBooks, ResultFacts, Statement, UploadStage } from "#features/invoices/ledger/tables.ts";

/** Context of all results of an upload. `waitsFor`: why nothing is being sent. */
export type ResultContext = { stage: UploadStage; waitsFor: RunCause | null; notes: readonly Problem[] };

/** Message of some rows of an entry, or of all. */
type RowStatement = Pick<Line, "status" | "key" | "statement" | "tid"> & { rows?: readonly number[] };

/** Result entries per upload in the list; the others are requested separately. */
export const RESULTS_IN_LIST = 25;

const OPEN_STATES: ReadonlySet<ResultEntry["state"]> = new Set(["ready", "sending", "undoing"]);

/**
 * Results of an upload in row order, as lines; rows with the same message form one range, even if others lie
 * between. Posted rows join across invoices and count them. The facts of problems are not read before
 * `toResult`.
 */
export const joinResults = (entries: readonly ResultEntry[], upload: ResultContext): JoinedLines[] =>
  joinLines(linesInOrder(entries, upload));

/** @param posted invoices in QuickBooks, by ledger place */
export const toResult = (
  { lead, lines, first, last }: JoinedLines,
  posted: ReadonlyMap<number, InBooks>,
): ResultFacts => ({
  status: lead.status,
  rows: [first, last],
  statement: lead.statement(countInvoices(lines)),
  tids: collectTids(lines),
  ...(lead.status === RESULT_STATUS.templateDataError ? { places: listPlaces(lines) } : {}),
  ...(lead.status === RESULT_STATUS.completed
    ? { posted: firstAndLast(lines).flatMap((seq) => posted.get(seq) ?? []) }
    : {}),
});

/** Lists the reasons of each row that needs a user's attention. A row can have several. */
export function problemReasons(
  entries: readonly ResultEntry[],
  upload: ResultContext,
): { row: number; statement: Statement }[] {
  return linesInOrder(entries, { ...upload, notes: [] })
    .filter(({ status }) => PROBLEM_STATUSES.has(status))
    .map(({ row, statement }) => ({ row, statement: statement(1) }));
}

function linesInOrder(entries: readonly ResultEntry[], upload: ResultContext): Line[] {
  const lines = entries.flatMap((entry) => toLines(entry, upload));
  for (const problem of upload.notes) {
    const said = fixed(RESULT_STATUS.information, { code: "note", problem });
    lines.push({ ...said, row: problem.row, entry: null });
  }
  // Completed ones before remarks on the same row, otherwise by row: the order in which a user reads the
  // sheet.
  return lines.sort((a, b) => a.row - b.row || a.status - b.status);
}

/** Counts invoices by outcome, with the amount of the posted ones. */
export function countByOutcome(entries: readonly ResultEntry[]): InvoiceCounts {
  const counts = { total: 0, posted: 0, problems: 0, unconfirmed: 0, open: 0, skipped: 0, undone: 0 };
  for (const { state, invoices = 1 } of entries) {
    counts.total += invoices;
    counts[OUTCOMES[state]] += invoices;
  }
  const posted = entries.filter(({ state }) => OUTCOMES[state] === "posted");
  const cents = posted.reduce((sum, entry) => sum + (entry.cents ?? 0), 0);
  const currencies = listCurrencies(entries.flatMap((entry) => entry.currencies ?? []));
  return { ...counts, amount: centsText(cents), currencies };
}

const OUTCOMES = {
  ready: "open",
  sending: "open",
  undoing: "open",
  posted: "posted",
  rejected: "problems",
  stopped: "problems",
  unresolved: "unconfirmed",
  skipped: "skipped",
  undone: "undone",
} as const;

/** Counts data rows by outcome. A row counts once, with the outcome of its invoice. */
export function countRows(entries: readonly ResultEntry[], dataRows: number): UploadCounts {
  const counts: UploadCounts = { total: dataRows, completed: 0, problems: 0, open: 0 };
  for (const { state, rows } of entries) {
    if (state === "posted") counts.completed += rows.length;
    else if (OPEN_STATES.has(state)) counts.open += rows.length;
    else if (state === "skipped" || state === "undone") counts[state] = (counts[state] ?? 0) + rows.length;
    else counts.problems += rows.length;
  }
  return counts;
}

export function filterResults<Result extends { status: number }>(
  results: readonly Result[],
  filter: ResultFilter,
): Result[] {
  if (filter === "problems") return results.filter((result) => PROBLEM_STATUSES.has(result.status));
  if (filter === "completed") return results.filter((result) => result.status === RESULT_STATUS.completed);
  return [...results];
}

/** A message that does not depend on the number of invoices. */
const fixed = (status: number, statement: Statement, tid: string | null = null): RowStatement => ({
  status,
  key: JSON.stringify(statement),
  statement: () => statement,
  tid,
});

const toLines = (entry: ResultEntry, upload: ResultContext): Line[] =>
  statementsFor(entry, upload).flatMap(({ rows = entry.rows, ...said }) =>
    rows.map((row) => ({ ...said, row, entry })),
  );

function statementsFor(entry: ResultEntry, upload: ResultContext): RowStatement[] {
  const { state, cause, undoWaits } = entry;
  switch (state) {
    case "ready":
    case "sending":
      return [describeOpen(state, upload)];
    case "posted":
      return describePosted(entry);
    case "undoing":
      if (undoWaits) return [fixed(RESULT_STATUS.queued, { code: "undo", cause: undoWaits })];
      return [fixed(RESULT_STATUS.working, { code: "undoing" })];
    case "undone":
      return describeUndone(entry);
    default:
      return state === "rejected" && !cause
        ? describeRejected(entry)
        : [fixed(OUTCOME_STATUS[state], describeOutcome(entry), cause?.tid)];
  }
}

const OUTCOME_STATUS = {
  skipped: RESULT_STATUS.information,
  unresolved: RESULT_STATUS.failedUnknown,
  stopped: RESULT_STATUS.failedTerminated,
  rejected: RESULT_STATUS.failedContinuing,
};

function describeOutcome({ cause, docNumber = null, txnDate = null }: ResultEntry): Statement {
  if (!cause) return { code: "blank" };
  const invoice = namesInvoice(cause) ? { docNumber, txnDate } : { docNumber: null, txnDate: null };
  return { code: "outcome", cause: withoutTid(cause), ...invoice };
}

/** While an upload waits, nothing is being sent, although the ledger may still have a write in doubt. */
function describeOpen(state: "ready" | "sending", { waitsFor, stage }: ResultContext): RowStatement {
  if (waitsFor) return fixed(RESULT_STATUS.queued, { code: "upload", cause: waitsFor });
  if (state === "sending") return fixed(RESULT_STATUS.working, { code: "sending" });
  return fixed(RESULT_STATUS.queued, { code: stage === "review" ? "ready" : "checked" });
}

/**
 * Describes a posted invoice. If an undo left it, the message includes the reason; if an undo still waits,
 * why it waits.
 */
function describePosted(entry: ResultEntry): RowStatement[] {
  const { problems, undoWaits = null } = entry;
  const created: RowStatement = {
    status: RESULT_STATUS.completed,
    key: JSON.stringify(undoWaits),
    statement: (invoices) => ({ code: "created", invoices, undoWaits }),
  };
  const warnings = problems
    .filter((problem) => !isError(problem))
    .map((problem) => ({
      ...describeProblems(RESULT_STATUS.information, [problem], null),
      rows: [problem.row],
    }));
  return [created, ...(undoWaits ? [] : describeLeft(entry)), ...warnings];
}

const describeLeft = ({ number, docNumber = null, undoCause }: ResultEntry): RowStatement[] =>
  undoCause
    ? [
        fixed(
          RESULT_STATUS.information,
          { code: "left", cause: withoutTid(undoCause), number: number ?? docNumber },
          undoCause.tid,
        ),
      ]
    : [];

/** Without the call's id, which differs between invoices with the same cause. */
const withoutTid = ({ code, params }: Cause) => ({ code, params });

type BlockedBy = Extract<Statement, { code: "problems" }>["blockedBy"];

const describeProblems = (
  status: number,
  shown: readonly ShownProblem[],
  blockedBy: BlockedBy,
): RowStatement => ({
  status,
  key: JSON.stringify([blockedBy, ...shown.map(({ fingerprint }) => fingerprint)]),
  statement: () => ({ code: "problems", problems: shown.flatMap(({ facts }) => facts ?? []), blockedBy }),
});

function describeUndone(entry: ResultEntry): RowStatement[] {
  const { undone, number = null } = entry;
  if (!undone) return describeLeft(entry);
  const { action, day } = undone;
  const statement: RowStatement["statement"] = (invoices) => ({
    code: "undone",
    invoices,
    action,
    day,
    number,
  });
  return [{ status: RESULT_STATUS.information, key: `${action} ${day}`, statement }];
}

/** Each faulty row shows its own faults; the other rows of that invoice name the row that blocks them. */
function describeRejected({ docNumber = null, problems, rows }: ResultEntry): RowStatement[] {
  const ofRow = Map.groupBy(problems, ({ row }) => row);
  const faulty = [...ofRow].filter(([, own]) => own.some(isError)).map(([row]) => row);
  const blocking = { docNumber, rows: toRanges(faulty) };
  return rows.map((row) => {
    const own = ofRow.get(row) ?? [];
    const blockedBy = own.some(isError) ? null : blocking;
    return { ...describeProblems(RESULT_STATUS.templateDataError, own, blockedBy), rows: [row] };
  });
}

const isError = ({ severity }: ShownProblem) => severity === "error";
