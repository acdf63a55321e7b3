import type { Problem } from "#formats/table/problem.ts";
import { dayOf, rangesOf } from "#formats/text/phrases.ts";
import type { Cause as RunCause } from "#platform/runs/types.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import { RESULT_STATUS, type ResultFilter, type UploadCounts } from "#features/invoices/contract.ts";
import { namesInvoice } from "#features/invoices/results/sentences-writes.ts";
import {
  countInvoices,
  joinLines,
  leadOf,
  tidsOf,
  type Line,
} from "#features/invoices/results/rules-lines.ts";
import type { EntryState, ResultFacts, Statement, UploadPhase } from "#features/invoices/ledger/tables.ts";
import type { UndoAction } from "#features/invoices/undo/contract.ts";

/** One ledger entry as far as its results show it. `problems` are those of the check, by row. */
export type ResultEntry = {
  rows: readonly number[];
  /** How many invoices it stands for when neighbours that say the same were read as one; else 1. */
  invoices?: number;
  state: EntryState;
  docNumber: string | null;
  txnDate?: string | null;
  /** Why it is not posted, or that nobody knows whether it is. */
  cause: Cause | null;
  problems: readonly ShownProblem[];
  /** Its own number in QuickBooks; null for neighbours that were read as one. */
  number?: string | null;
  /** Why the last undo left the invoice, or that it was gone already. */
  undoCause?: Cause | null;
  /** Why the undo that has not dealt with it yet waits. */
  undoWaits?: RunCause | null;
  /** How and when our undo took the invoice out of the books. */
  undone?: Undone | null;
};

export type Undone = { action: UndoAction; at: Date };

/**
 * A problem of the check in a result. `fingerprint` is equal for problems that differ by their rows only; its facts are left
 * out where results are only counted.
 */
export type ShownProblem = Pick<Problem, "row" | "severity"> & { fingerprint: string; facts?: Problem };

/** What all results of an upload depend on. `waitsFor`: nothing is being sent, and why. */
export type ResultsOf = { phase: UploadPhase; waitsFor: RunCause | null; notes: readonly Problem[] };

const NO_ENTRY = -1;

type Said = Pick<Line, "key" | "says" | "tid">;
type AllLines = (status: number, statement: Statement, tid?: string | null) => Line[];
type MakeLine = (row: number, status: number, said: Said) => Line;

/** How many result entries the list carries for one upload; the rest is asked for by itself. */
export const RESULTS_IN_LIST = 25;

const OPEN_STATES: ReadonlySet<ResultEntry["state"]> = new Set(["ready", "sending", "undoing"]);

/** Statuses a user must look at. */
const PROBLEM_STATUSES: ReadonlySet<number> = new Set([
  RESULT_STATUS.templateDataError,
  RESULT_STATUS.failedContinuing,
  RESULT_STATUS.failedTerminated,
  RESULT_STATUS.failedUnknown,
]);

/**
 * Results of an upload in row order; neighbours that say the same are one range, whatever else is between. Posted
 * rows join whatever their invoices are, and count them.
 * @param limit at most so many results
 */
export function joinResults(
  entries: readonly ResultEntry[],
  upload: ResultsOf,
  limit = Infinity,
): ResultFacts[] {
  return joinLines(linesInOrder(entries, upload))
    .slice(0, limit)
    .map(({ lines, first, last }) => ({
      status: leadOf(lines).status,
      rows: [first, last],
      says: leadOf(lines).says(countInvoices(lines)),
      tids: tidsOf(lines),
    }));
}

/**
 * How many results there are, and the places of the entries that the first of them are about; all entries of a result
 * say the same, so that the facts of the first, its `lead`, are enough.
 */
export function countResults(
  entries: readonly ResultEntry[],
  upload: ResultsOf,
): { count: number; first: number[]; leads: ReadonlySet<number> } {
  const runs = joinLines(linesInOrder(entries, upload));
  const shown = runs.slice(0, RESULTS_IN_LIST);
  const first = shown.flatMap(({ lines }) => lines.map(({ entry }) => entry));
  return {
    count: runs.length,
    first: [...new Set(first)].filter((place) => place !== NO_ENTRY),
    leads: new Set(shown.flatMap(({ lines }) => lines[0]?.entry ?? [])),
  };
}

/** Of each row that a user must look at, why. A row may have several reasons. */
export function problemReasons(
  entries: readonly ResultEntry[],
  upload: ResultsOf,
): { row: number; says: Statement }[] {
  return linesInOrder(entries, { ...upload, notes: [] })
    .filter(({ status }) => PROBLEM_STATUSES.has(status))
    .map(({ row, says, invoices }) => ({ row, says: says(invoices) }));
}

function linesInOrder(entries: readonly ResultEntry[], upload: ResultsOf): Line[] {
  const lines = entries.flatMap((entry, index) => linesOf(entry, index, upload));
  for (const problem of upload.notes) {
    const said = fixed({ code: "note", problem });
    lines.push({
      ...said,
      row: problem.row,
      status: RESULT_STATUS.information,
      entry: NO_ENTRY,
      invoices: 0,
    });
  }
  // Completed before remarks on the same row, and otherwise by row: the order in which a user reads the sheet.
  return lines.sort((one, other) => one.row - other.row || one.status - other.status);
}

/** Data rows by outcome. A row counts once, as its invoice ended. */
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

/** What is the same however many invoices share it. */
const fixed = (statement: Statement, tid: string | null = null): Said => ({
  key: JSON.stringify(statement),
  says: () => statement,
  tid,
});

function linesOf(entry: ResultEntry, index: number, upload: ResultsOf): Line[] {
  const { invoices = 1, rows, cause } = entry;
  const line: MakeLine = (row, status, said) => ({ row, status, entry: index, invoices, ...said });
  const all: AllLines = (status, statement, tid) => {
    const said = fixed(statement, tid);
    return rows.map((row) => line(row, status, said));
  };
  switch (entry.state) {
    case "ready":
    case "sending":
      return openLines(entry.state, upload, all);
    case "posted":
      return [...postedLines(entry, line), ...warningLines(entry, line)];
    case "undoing":
      if (entry.undoWaits) return all(RESULT_STATUS.queued, { code: "undo", cause: entry.undoWaits });
      return all(RESULT_STATUS.working, { code: "undoing" });
    case "undone":
      return undoneLines(entry, line);
    default:
      return entry.state === "rejected" && !cause
        ? rejectedLines(entry, line)
        : all(OUTCOME_STATUS[entry.state], outcomeOf(entry), cause?.tid);
  }
}

const OUTCOME_STATUS = {
  skipped: RESULT_STATUS.information,
  unresolved: RESULT_STATUS.failedUnknown,
  stopped: RESULT_STATUS.failedTerminated,
  rejected: RESULT_STATUS.failedContinuing,
};

function outcomeOf({ cause, docNumber, txnDate = null }: ResultEntry): Statement {
  if (!cause) return { code: "blank" };
  const invoice = namesInvoice(cause) ? { docNumber, txnDate } : { docNumber: null, txnDate: null };
  return { code: "outcome", cause: whatOf(cause), ...invoice };
}

/** While an upload waits nothing is being sent, though a lost answer may still be open in the ledger. */
function openLines(state: "ready" | "sending", { waitsFor, phase }: ResultsOf, all: AllLines): Line[] {
  if (waitsFor) return all(RESULT_STATUS.queued, { code: "upload", cause: waitsFor });
  if (state === "sending") return all(RESULT_STATUS.working, { code: "sending" });
  return all(RESULT_STATUS.queued, { code: phase === "check" ? "ready" : "checked" });
}

/** In the books. What an undo left says why; what one has not dealt with yet says why that waits, on the same line. */
function postedLines(entry: ResultEntry, line: MakeLine): Line[] {
  const { rows, undoWaits = null, undoCause } = entry;
  const created: Said = {
    key: JSON.stringify(undoWaits),
    says: (invoices) => ({ code: "created", invoices, undoWaits }),
  };
  const posted = rows.map((row) => line(row, RESULT_STATUS.completed, created));
  if (undoWaits || !undoCause) return posted;
  const left = leftBy(entry, undoCause);
  return [...posted, ...rows.map((row) => line(row, RESULT_STATUS.information, left))];
}

function warningLines({ problems }: ResultEntry, line: MakeLine): Line[] {
  return problems
    .filter(({ severity }) => severity !== "error")
    .map((problem) => line(problem.row, RESULT_STATUS.information, sayProblems([problem], null)));
}

const leftBy = ({ number, docNumber }: ResultEntry, cause: Cause): Said =>
  fixed({ code: "left", cause: whatOf(cause), number: number ?? docNumber }, cause.tid);

/** Without the id of the exchange, which differs between invoices of one cause. */
const whatOf = ({ code, params }: Cause) => ({ code, params });

type HeldBy = Extract<Statement, { code: "problems" }>["heldBy"];

function sayProblems(shown: readonly ShownProblem[], heldBy: HeldBy): Said {
  return {
    key: JSON.stringify([heldBy, ...shown.map(({ fingerprint }) => fingerprint)]),
    says: () => ({ code: "problems", problems: shown.flatMap(({ facts }) => facts ?? []), heldBy }),
  };
}

function undoneLines(entry: ResultEntry, line: MakeLine): Line[] {
  const { rows, undone, undoCause, number = null } = entry;
  if (!undone) {
    const left = undoCause ? leftBy(entry, undoCause) : fixed({ code: "blank" });
    return rows.map((row) => line(row, RESULT_STATUS.information, left));
  }
  const { action } = undone;
  const day = dayOf(undone.at);
  const said: Said = {
    key: `${action} ${day}`,
    says: (invoices) => ({ code: "undone", invoices, action, day, number }),
  };
  return rows.map((row) => line(row, RESULT_STATUS.information, said));
}

/** Each faulty row says its own faults; the other rows of that invoice say which row holds them back. */
function rejectedLines({ docNumber, problems, rows }: ResultEntry, line: MakeLine): Line[] {
  const ofRow = Map.groupBy(problems, ({ row }) => row);
  const faulty = [...ofRow].filter(([, own]) => own.some(isError)).map(([row]) => row);
  const held = { docNumber, rows: rangesOf(faulty) };
  return rows.map((row) => {
    const own = ofRow.get(row) ?? [];
    return line(row, RESULT_STATUS.templateDataError, sayProblems(own, own.some(isError) ? null : held));
  });
}

const isError = ({ severity }: ShownProblem) => severity === "error";
