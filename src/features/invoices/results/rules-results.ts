import { rowRanges } from "#features/invoices/workbook/rules-problems.ts";
import { RESULT_STATUS, type ResultFilter, type UploadResult } from "#features/invoices/contract.ts";
import type { EntryState } from "#features/invoices/tables.ts";

/**
 * Data rows of an upload by fate; `open` ones are still queued or being worked on. Rows whose invoices an earlier upload
 * of the same file posted, or an undo took out again, are neither completed nor problems: they are counted by
 * themselves, once there are any.
 */
export type UploadCounts = {
  total: number;
  completed: number;
  problems: number;
  open: number;
  skipped?: number | undefined;
  undone?: number | undefined;
};

/** One ledger entry as far as its results show it. `problems` are those of the check, by row. */
export type ResultEntry = {
  rows: readonly number[];
  /** How many invoices it stands for when neighbours that say the same were read as one; else 1. */
  invoices?: number;
  state: EntryState;
  docNumber: string | null;
  message: string;
  problems: readonly { row: number; severity: "error" | "warning"; text: string }[];
  /** Why the last undo left the invoice, or that it was gone already. */
  undoMessage?: string;
  /** Why the undo that has not dealt with it yet waits. */
  undoWaits?: string | null;
  /** How and when our undo took the invoice out of the books. */
  undone?: Undone | null;
};

/** `number` is the invoice's own in QuickBooks. */
export type Undone = { action: "void" | "delete"; at: Date; number: string | null };

/** `tell` says it for one or several invoices; lines that have it join when their messages are equal. */
type Line = {
  row: number;
  status: number;
  message: string;
  entry: number;
  /** How many invoices the entry stands for. */
  invoices: number;
  tell?: (invoices: number) => string;
};

/** A remark on one row of the whole file. */
type Note = { row: number; text: string };
const NO_ENTRY = -1;

type MakeLine = (row: number, status: number, message: string) => Line;

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
 * Result rows of an upload in row order; neighbours with equal status and message are one range. Completed rows join
 * whatever their invoices are, and tell how many.
 * @param notes remarks on single rows of the whole file, shown as information
 */
export function joinResults(entries: readonly ResultEntry[], notes: readonly Note[] = []): UploadResult[] {
  return joinLines(linesInOrder(entries, notes)).map(tellLines);
}

/**
 * How many results there are, and the places of the entries that the first of them tell of. Texts are only compared:
 * they may stand for others, as long as the same stands for the same.
 */
export function countResults(
  entries: readonly ResultEntry[],
  notes: readonly Note[],
): { count: number; first: number[] } {
  const joined = joinLines(linesInOrder(entries, notes));
  const shown = joined.slice(0, RESULTS_IN_LIST).flatMap((lines) => lines.map(({ entry }) => entry));
  return { count: joined.length, first: [...new Set(shown)].filter((place) => place !== NO_ENTRY) };
}

function linesInOrder(entries: readonly ResultEntry[], notes: readonly Note[]): Line[] {
  const lines = entries.flatMap((entry, index) => linesOf(entry, index));
  for (const { row, text: message } of notes) {
    lines.push({ row, status: RESULT_STATUS.information, message, entry: NO_ENTRY, invoices: 0 });
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
  const { invoices = 1 } = entry;
  const line: MakeLine = (row, status, message) => ({ row, status, message, entry: index, invoices });
  const information = (row: number, message: string) => line(row, RESULT_STATUS.information, message);
  const warnings = entry.problems
    .filter((problem) => problem.severity === "warning")
    .map((problem) => information(problem.row, problem.text));
  switch (entry.state) {
    case "ready":
      return entry.rows.map((row) => line(row, RESULT_STATUS.queued, entry.message));
    case "sending":
      return entry.rows.map((row) => line(row, RESULT_STATUS.working, "Being sent to QuickBooks."));
    case "posted":
      return [...postedLines(entry, line), ...warnings];
    case "undoing":
      return entry.undoWaits
        ? entry.rows.map((row) => line(row, RESULT_STATUS.queued, entry.undoWaits ?? ""))
        : entry.rows.map((row) => line(row, RESULT_STATUS.working, "Being undone in QuickBooks."));
    case "undone":
      return undoneLines(entry, information);
    case "skipped":
      return entry.rows.map((row) => information(row, entry.message));
    case "unknown":
      return entry.rows.map((row) => line(row, RESULT_STATUS.failedUnknown, entry.message));
    case "stopped":
      return entry.rows.map((row) => line(row, RESULT_STATUS.failedTerminated, entry.message));
    case "rejected":
      return rejectedLines(entry, line);
  }
}

/** In the books. What an undo left says why; what one has not dealt with yet says why that waits, on the same line. */
function postedLines(entry: ResultEntry, line: MakeLine): Line[] {
  const { rows, undoWaits, undoMessage } = entry;
  const waits = undoWaits ? ` Not undone yet. ${undoWaits}` : "";
  const tell = (invoices: number) => createdSentence(invoices) + waits;
  const posted = rows.map((row) => ({ ...line(row, RESULT_STATUS.completed, waits), tell }));
  if (waits || !undoMessage) return posted;
  return [...posted, ...rows.map((row) => line(row, RESULT_STATUS.information, undoMessage))];
}

function undoneLines(entry: ResultEntry, information: (row: number, message: string) => Line): Line[] {
  const { undone } = entry;
  if (!undone) return entry.rows.map((row) => information(row, entry.undoMessage ?? ""));
  const tell = (invoices: number) => undoneSentence(undone, invoices);
  return entry.rows.map((row) => ({ ...information(row, undoneKey(undone)), tell }));
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
  if (entry.message) return entry.rows.map((row) => line(row, RESULT_STATUS.failedContinuing, entry.message));
  const faulty = [
    ...new Set(entry.problems.filter(({ severity }) => severity === "error").map(({ row }) => row)),
  ];
  return entry.rows.map((row) => {
    const own = entry.problems.filter((problem) => problem.row === row).map((problem) => problem.text);
    const why = faulty.includes(row) ? own : [heldBack(entry.docNumber, faulty), ...own];
    return line(row, RESULT_STATUS.templateDataError, why.join("\n"));
  });
}

function heldBack(docNumber: string | null, rows: readonly number[]): string {
  const places = rows.length === 1 ? `row ${rows[0]} has an error` : `rows ${rowRanges(rows)} have errors`;
  return `Not posted: ${docNumber ? `invoice ${docNumber}` : "this invoice"} is posted whole or not at all, and ${places}.`;
}

/** Lines that are told as one result. */
function joinLines(lines: readonly Line[]): Line[][] {
  const joined: Line[][] = [];
  let start = 0;
  for (let index = 1; index <= lines.length; index += 1) {
    const [last, next] = [lines[index - 1], lines[index]];
    if (last && next && continues(last, next)) continue;
    joined.push(lines.slice(start, index));
    start = index;
  }
  return joined;
}

const continues = (last: Line, next: Line) =>
  next.status === last.status &&
  next.message === last.message &&
  (next.row === last.row || next.row === last.row + 1);

function tellLines(lines: readonly Line[]): UploadResult {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) throw new Error("A result tells of no line.");
  return {
    status: first.status,
    rows: first.row === last.row ? String(first.row) : `${first.row}-${last.row}`,
    message: first.tell ? first.tell(countInvoices(lines)) : first.message,
  };
}

function countInvoices(lines: readonly Line[]): number {
  const entries = new Map(lines.map(({ entry, invoices }) => [entry, invoices]));
  return [...entries.values()].reduce((sum, invoices) => sum + invoices, 0);
}

const createdSentence = (invoices: number) =>
  invoices === 1 ? "1 invoice created." : `${invoices} invoices created.`;
