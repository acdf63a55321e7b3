import type { Problem } from "#formats/table/problem.ts";
import type { Cause as RunCause } from "#platform/runs/types.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { EntryState, Statement } from "#features/invoices/ledger/tables.ts";
import type { UndoAction } from "#features/invoices/contract.ts";

/**
 * One ledger entry as far as its results show it, or all neighbours in the sheet that say the same and have no problems.
 * `problems` are those of the check, by row.
 */
export type ResultEntry = {
  /** Its place in the ledger; of neighbours the first. */
  seq?: number;
  /** Of neighbours the last. */
  lastSeq?: number;
  rows: readonly number[];
  /** How many invoices it stands for; 1 when left out. */
  invoices?: number;
  /** Money of the file in whole cents, null where it cannot be read, and what it is in. */
  cents?: number | null;
  currencies?: readonly string[];
  state: EntryState;
  docNumber?: string | null;
  txnDate?: string | null;
  /** Why it is not posted, or that nobody knows whether it is. */
  cause: Cause | null;
  problems: readonly ShownProblem[];
  /** Its own number in QuickBooks, or that of one of them. */
  number?: string | null;
  /** Why the last undo left the invoice, or that it was gone already. */
  undoCause?: Cause | null;
  /** Why the undo that has not dealt with it yet waits. */
  undoWaits?: RunCause | null;
  /** How our undo took the invoice out of the books, and the day, YYYY-MM-DD. */
  undone?: { action: UndoAction; day: string } | null;
};

/** A problem of the check in a result. `fingerprint` is equal for problems that differ by their rows only. */
export type ShownProblem = Pick<Problem, "row" | "severity"> & {
  fingerprint: string;
  /** Read only for what is shown. */
  facts?: Problem | undefined;
};

/** What one row says. Neighbours with equal status and key are one result. */
export type Line = {
  row: number;
  status: number;
  key: string;
  /** What lines have in common, for so many invoices. */
  statement: (invoices: number) => Statement;
  /** Intuit's id of the exchange that the problem comes from. */
  tid?: string | null;
  /** Null for a remark on the whole file. */
  entry: ResultEntry | null;
};

/** Neighbouring lines that say the same, the first of them the `lead`. */
export type JoinedLines = { lead: Line; lines: Line[]; first: number; last: number };

/** Lines in order, put together: one goes on with the last line that said the same, when its row is the next. */
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

/** Counts an invoice where its first row is: one whose rows stand apart is in several results. */
export function countInvoices(lines: readonly Line[]): number {
  const begun = lines.flatMap(({ entry, row }) => (entry && entry.rows[0] === row ? [entry] : []));
  return [...new Set(begun)].reduce((sum, entry) => sum + (entry.invoices ?? 1), 0);
}

/** Places in the ledger of the first invoice of some lines and, when there are several, of the last. */
export function firstAndLast(lines: readonly Line[]): number[] {
  const [first, last] = [lines[0]?.entry, lines.at(-1)?.entry];
  return [...new Set([first?.seq, last?.lastSeq ?? last?.seq])].filter((seq) => seq !== undefined);
}

/** A few are enough for Intuit's support. */
const MAX_TIDS = 3;

export const collectTids = (lines: readonly Line[]): string[] =>
  [...new Set(lines.flatMap(({ tid }) => tid ?? []))].slice(0, MAX_TIDS);
