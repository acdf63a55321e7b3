import type { Problem } from "#formats/table/problem.ts";
import { rowRanges } from "#formats/text/phrases.ts";
import type { Range } from "#features/invoices/results/rules-sentences.ts";
import { problemSentence, problemText } from "#features/invoices/results/sentences-problems.ts";
import {
  RESULT_STATUS,
  type CellProblem,
  type ResultFilter,
  type UploadCounts,
  type UploadResult,
} from "#features/invoices/contract.ts";
import type { EntryState } from "#features/invoices/ledger/tables.ts";

/** One ledger entry as far as its results show it. `problems` are those of the check, by row. */
export type ResultEntry = {
  rows: readonly number[];
  /** How many invoices it stands for when neighbours that say the same were read as one; else 1. */
  invoices?: number;
  state: EntryState;
  docNumber: string | null;
  message: string;
  problems: readonly ShownProblem[];
  /** Why the last undo left the invoice, or that it was gone already. */
  undoMessage?: string;
  /** Why the undo that has not dealt with it yet waits. */
  undoWaits?: string | null;
  /** How and when our undo took the invoice out of the books. */
  undone?: Undone | null;
};

/** `number` is the invoice's own in QuickBooks. */
export type Undone = { action: "void" | "delete"; at: Date; number: string | null };

/**
 * A problem of the check in a result. `mark` is equal for problems that differ by their rows only; its facts are left
 * out where results are only counted.
 */
export type ShownProblem = Pick<Problem, "row" | "severity"> & { mark: string; facts?: Problem };

/** Says what lines have in common: of these rows, for so many invoices. */
type Say = (rows: Range, invoices: number) => string;

/** What one row has to tell. Neighbours with equal status and key are one result. */
type Line = {
  row: number;
  status: number;
  key: string;
  say: Say;
  entry: number;
  /** How many invoices the entry stands for. */
  invoices: number;
  problems: readonly ShownProblem[];
};

/** Neighbouring lines that are told as one. */
type Run = { lines: Line[]; first: number; last: number };

const NO_ENTRY = -1;

type MakeLine = (row: number, status: number, told: Pick<Line, "key"> & Partial<Line>) => Line;

/** How many result entries the list carries for one upload; the rest is asked for by itself. */
export const RESULTS_IN_LIST = 25;

const OPEN_STATES: ReadonlySet<ResultEntry["state"]> = new Set(["ready", "sending", "undoing"]);

/** Statuses a person must look at. */
const PROBLEM_STATUSES: ReadonlySet<number> = new Set([
  RESULT_STATUS.templateDataError,
  RESULT_STATUS.failedContinuing,
  RESULT_STATUS.failedTerminated,
  RESULT_STATUS.failedUnknown,
]);

/**
 * Result rows of an upload in row order; neighbours that tell the same are one range, whatever else is told between.
 * Completed rows join whatever their invoices are, and tell how many.
 * @param notes remarks on the whole file, shown as information on a row each
 * @param limit at most so many results
 */
export function joinResults(
  entries: readonly ResultEntry[],
  notes: readonly Problem[] = [],
  limit = Infinity,
): UploadResult[] {
  return joinLines(linesInOrder(entries, notes)).slice(0, limit).map(tellRun);
}

/**
 * How many results there are, and the places of the entries that the first of them tell of; of each result all entries
 * tell the same, so that the facts of the first, its `lead`, are enough.
 */
export function countResults(
  entries: readonly ResultEntry[],
  notes: readonly Problem[],
): { count: number; first: number[]; leads: ReadonlySet<number> } {
  const runs = joinLines(linesInOrder(entries, notes));
  const shown = runs.slice(0, RESULTS_IN_LIST);
  const first = shown.flatMap(({ lines }) => lines.map(({ entry }) => entry));
  return {
    count: runs.length,
    first: [...new Set(first)].filter((place) => place !== NO_ENTRY),
    leads: new Set(shown.flatMap(({ lines }) => lines[0]?.entry ?? [])),
  };
}

/** Of each row that a person must look at, why. A row may have several reasons. */
export function problemReasons(entries: readonly ResultEntry[]): { row: number; reason: string }[] {
  return linesInOrder(entries, [])
    .filter(({ status }) => PROBLEM_STATUSES.has(status))
    .map(({ row, say, invoices }) => ({ row, reason: say([row, row], invoices) }));
}

function linesInOrder(entries: readonly ResultEntry[], notes: readonly Problem[]): Line[] {
  const lines = entries.flatMap((entry, index) => linesOf(entry, index));
  for (const note of notes) {
    const say = () => problemText(note);
    const told = { row: note.row, status: RESULT_STATUS.information, key: JSON.stringify(note), say };
    lines.push({ ...told, entry: NO_ENTRY, invoices: 0, problems: [] });
  }
  // Completed before remarks on the same row, and otherwise by row: the order in which a person reads the sheet.
  return lines.sort((one, other) => one.row - other.row || one.status - other.status);
}

/** Data rows by fate. A row counts once, as its invoice ended. */
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

export function filterResults(results: readonly UploadResult[], filter: ResultFilter): UploadResult[] {
  if (filter === "problems") return results.filter((result) => PROBLEM_STATUSES.has(result.status));
  if (filter === "completed") return results.filter((result) => result.status === RESULT_STATUS.completed);
  return [...results];
}

function linesOf(entry: ResultEntry, index: number): Line[] {
  const { invoices = 1, rows } = entry;
  const line: MakeLine = (row, status, told) => ({
    row,
    status,
    entry: index,
    invoices,
    problems: [],
    say: () => told.key,
    ...told,
  });
  const all = (status: number, key: string) => rows.map((row) => line(row, status, { key }));
  switch (entry.state) {
    case "ready":
      return all(RESULT_STATUS.queued, entry.message);
    case "sending":
      return all(RESULT_STATUS.working, "Being sent to QuickBooks.");
    case "posted":
      return [...postedLines(entry, line), ...warningLines(entry, line)];
    case "undoing":
      return undoingLines(entry, all);
    case "undone":
      return undoneLines(entry, line);
    case "skipped":
      return all(RESULT_STATUS.information, entry.message);
    case "unknown":
      return all(RESULT_STATUS.failedUnknown, entry.message);
    case "stopped":
      return all(RESULT_STATUS.failedTerminated, entry.message);
    case "rejected":
      return rejectedLines(entry, line);
  }
}

const undoingLines = ({ undoWaits }: ResultEntry, all: (status: number, key: string) => Line[]) =>
  undoWaits
    ? all(RESULT_STATUS.queued, undoWaits)
    : all(RESULT_STATUS.working, "Being undone in QuickBooks.");

/** In the books. What an undo left says why; what one has not dealt with yet says why that waits, on the same line. */
function postedLines(entry: ResultEntry, line: MakeLine): Line[] {
  const { rows, undoWaits, undoMessage } = entry;
  const waits = undoWaits ? ` Not undone yet. ${undoWaits}` : "";
  const say: Say = (_, invoices) => createdSentence(invoices) + waits;
  const posted = rows.map((row) => line(row, RESULT_STATUS.completed, { key: waits, say }));
  if (waits || !undoMessage) return posted;
  return [...posted, ...rows.map((row) => line(row, RESULT_STATUS.information, { key: undoMessage }))];
}

function warningLines({ problems }: ResultEntry, line: MakeLine): Line[] {
  return problems
    .filter(({ severity }) => severity !== "error")
    .map((problem) => line(problem.row, RESULT_STATUS.information, sayProblems([problem])));
}

/** Problems of one row, one to a line of the message. */
function sayProblems(problems: readonly ShownProblem[], before = ""): Pick<Line, "key" | "say" | "problems"> {
  const key = [before, ...problems.map(({ mark }) => mark)].join("\n");
  const say: Say = (rows) => {
    const own = problems.map(({ facts }) => (facts ? problemText(facts, rows) : ""));
    return (before === "" ? own : [before, ...own]).join("\n");
  };
  return { key, say, problems };
}

function undoneLines({ undone, undoMessage, rows }: ResultEntry, line: MakeLine): Line[] {
  const told = undone
    ? { key: undoneKey(undone), say: (_: Range, invoices: number) => undoneSentence(undone, invoices) }
    : { key: undoMessage ?? "" };
  return rows.map((row) => line(row, RESULT_STATUS.information, told));
}

const undoneKey = ({ action, at }: Undone) =>
  `${action === "void" ? "voided" : "deleted"} in QuickBooks on ${at.toISOString().slice(0, 10)}`;

/** That an undo took invoices out of the books, how and when. One invoice is named by its number. */
export function undoneSentence(undone: Undone, invoices = 1): string {
  if (invoices > 1) return `Undone: ${invoices} invoices were ${undoneKey(undone)}.`;
  return `Undone: ${undone.number ? `invoice ${undone.number}` : "the invoice"} was ${undoneKey(undone)}.`;
}

/** Each faulty row tells its own faults; the other rows of that invoice say which row holds them back. */
function rejectedLines(entry: ResultEntry, line: MakeLine): Line[] {
  const { message } = entry;
  if (message) return entry.rows.map((row) => line(row, RESULT_STATUS.failedContinuing, { key: message }));
  const ofRow = Map.groupBy(entry.problems, ({ row }) => row);
  const faulty = [...ofRow].filter(([, own]) => own.some(isError)).map(([row]) => row);
  const held = heldBack(entry.docNumber, faulty);
  return entry.rows.map((row) => {
    const own = ofRow.get(row) ?? [];
    return line(row, RESULT_STATUS.templateDataError, sayProblems(own, own.some(isError) ? "" : held));
  });
}

const isError = ({ severity }: ShownProblem) => severity === "error";

function heldBack(docNumber: string | null, rows: readonly number[]): string {
  const places = rows.length === 1 ? `row ${rows[0]} has an error` : `rows ${rowRanges(rows)} have errors`;
  return `Not posted: ${docNumber ? `invoice ${docNumber}` : "this invoice"} is posted whole or not at all, and ${places}.`;
}

/** Lines in order, put together: one goes on with the last line that told the same, when its row is the next. */
function joinLines(lines: readonly Line[]): Run[] {
  const runs: Run[] = [];
  const open = new Map<string, Run>();
  for (const line of lines) {
    const what = `${line.status}\n${line.key}`;
    const run = open.get(what);
    if (run && line.row <= run.last + 1) {
      run.lines.push(line);
      run.last = line.row;
      continue;
    }
    const next = { lines: [line], first: line.row, last: line.row };
    runs.push(next);
    open.set(what, next);
  }
  return runs;
}

function tellRun({ lines, first, last }: Run): UploadResult {
  const [lead] = lines;
  if (!lead) throw new Error("A result tells of no line.");
  const problems = lead.problems.flatMap(({ facts }) => (facts ? cellProblem(facts) : []));
  return {
    status: lead.status,
    rows: first === last ? String(first) : `${first}-${last}`,
    message: lead.say([first, last], countInvoices(lines)),
    ...(problems.length > 0 ? { problems } : {}),
  };
}

function cellProblem(problem: Problem): CellProblem[] {
  const { code, field, column } = problem;
  return column === null ? [] : [{ code, field, column, message: problemSentence(problem) }];
}

function countInvoices(lines: readonly Line[]): number {
  const entries = new Map(lines.map(({ entry, invoices }) => [entry, invoices]));
  return [...entries.values()].reduce((sum, invoices) => sum + invoices, 0);
}

const createdSentence = (invoices: number) =>
  invoices === 1 ? "1 invoice created." : `${invoices} invoices created.`;
