import type { Problem } from "#formats/table/problem.ts";
import type { Cause as RunCause } from "#platform/runs/types.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { EntryState, Statement } from "#features/invoices/ledger/tables.ts";
import type { UndoAction } from "#features/invoices/contract.ts";

/**
 * One ledger entry as shown in results, or several adjacent ones that have the same message and no problems.
 * `problems` are those of the check, by row.
 */
export type ResultEntry = {
  /** Its place in the ledger; for several, the place of the first. */
  seq?: number;
  /** Place of the last one. */
  lastSeq?: number;
  rows: readonly number[];
  /** Number of invoices it represents; default 1. */
  invoices?: number;
  /** Amount in the file in whole cents, null if unreadable, and its currency. */
  cents?: number | null;
  currencies?: readonly string[];
  state: EntryState;
  docNumber?: string | null;
  txnDate?: string | null;
  /** Why it is not posted, or is unresolved. */
  cause: Cause | null;
  problems: readonly ShownProblem[];
  /** Its own number in QuickBooks, or that of one of them. */
  number?: string | null;
  /** Why the last undo left the invoice, or found it gone. */
  undoCause?: Cause | null;
  /** Why its undo waits. */
  undoWaits?: RunCause | null;
  /** Our undo action that removed the invoice from the books, and its day, YYYY-MM-DD. */
  undone?: { action: UndoAction; day: string } | null;
};

/** A problem of the check in a result. `fingerprint` is equal for problems that differ only in their rows. */
export type ShownProblem = Pick<Problem, "row" | "severity"> & {
  fingerprint: string;
  /** Read only if shown. */
  facts?: Problem | undefined;
};

/** Message of one row. Adjacent rows with equal status and key are one result. */
export type Line = {
  row: number;
  status: number;
  key: string;
  /** Message shared by lines, for a number of invoices. */
  statement: (invoices: number) => Statement;
  /** Intuit's id of the call that caused the problem. */
  tid?: string | null;
  /** Null for a remark on the whole file. */
  entry: ResultEntry | null;
};

/** Adjacent lines with the same message; the first is the `lead`. */
export type JoinedLines = { lead: Line; lines: Line[]; first: number; last: number };

/** Joins lines in order: a line joins the last one with the same message if its row is the next one. */
export function joinLines(lines: readonly Line[]): JoinedLines[] {
  const all: JoinedLines[] = [];
  const open = new Map<string, JoinedLines>();
  for (const line of lines) {
    const what = `${line.status}\n${line.key}`;
    const joined = open.get(what);
    if (joined && line.row <= joined.last + 1) {
      joined.lines.push(line);
      joined.last = line.row;
      continue;
    }
    const next = { lead: line, lines: [line], first: line.row, last: line.row };
    all.push(next);
    open.set(what, next);
  }
  return all;
}

/** Counts an invoice at its first row: one with scattered rows is in several results. */
export function countInvoices(lines: readonly Line[]): number {
  const begun = lines.flatMap(({ entry, row }) => (entry && entry.rows[0] === row ? [entry] : []));
  return [...new Set(begun)].reduce((sum, entry) => sum + (entry.invoices ?? 1), 0);
}

/** Ledger places of the first invoice of some lines and, if there are several, of the last. */
export function firstAndLast(lines: readonly Line[]): number[] {
  const [first, last] = [lines[0]?.entry, lines.at(-1)?.entry];
  return [...new Set([first?.seq, last?.lastSeq ?? last?.seq])].filter((seq) => seq !== undefined);
}

/** Places in the ledger of the invoices of some lines, as first and last of each range. */
export function listPlaces(lines: readonly Line[]): number[] {
  const entries = [...new Set(lines.flatMap(({ entry }) => entry ?? []))];
  const ranges = entries
    .flatMap(({ seq, lastSeq = seq }) => (seq === undefined ? [] : [[seq, lastSeq ?? seq] as const]))
    .toSorted(([a], [b]) => a - b);
  const joined: number[] = [];
  for (const [first, last] of ranges) {
    if (first === (joined.at(-1) ?? Number.NaN) + 1) joined.splice(-1, 1, last);
    else joined.push(first, last);
  }
  return joined;
}

/** A few are enough for Intuit's support. */
const MAX_TIDS = 3;

export const collectTids = (lines: readonly Line[]): string[] =>
  [...new Set(lines.flatMap(({ tid }) => tid ?? []))].slice(0, MAX_TIDS);
