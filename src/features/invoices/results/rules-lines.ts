import type { Problem } from "#formats/table/problem.ts";
import type { Cause as RunCause } from "#platform/runs/types.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import type { EntryState, Statement } from "#features/invoices/ledger/tables.ts";
import type { UndoAction } from "#features/invoices/contract.ts";

/**
 * One ledger entry as far as its results show it, or all neighbors in the sheet that say the same and have no problems.
 * `problems` are those of the check, by row.
 */
export type ResultEntry = {
  /** Its place in the ledger; the first of its neighbors. */
  seq?: number;
  /** The last of its neighbors. */
  lastSeq?: number;
  rows: readonly number[];
  /** Count of invoices that it stands for; 1 when left out. */
  invoices?: number;
  /** Money of the file in whole cents, null where it cannot be read, and what it is in. */
  cents?: number | null;
  currencies?: readonly string[];
  state: EntryState;
  docNumber?: string | null;
  txnDate?: string | null;
  /** Reason why it is not posted, or is unresolved. */
  cause: Cause | null;
  problems: readonly ShownProblem[];
  /** Its own number in QuickBooks, or that of one of them. */
  number?: string | null;
  /** Reason why the last undo left the invoice, or found it gone. */
  undoCause?: Cause | null;
  /** Cause for which its undo waits. */
  undoWaits?: RunCause | null;
  /** Action of our undo that took the invoice out of the books, and its day, YYYY-MM-DD. */
  undone?: { action: UndoAction; day: string } | null;
};

/** A problem of the check in a result. `fingerprint` is equal for problems that differ by their rows only. */
export type ShownProblem = Pick<Problem, "row" | "severity"> & {
  fingerprint: string;
  /** Read only for what is shown. */
  facts?: Problem | undefined;
};

/** Statement of one row. Neighbors with equal status and key are one result. */
export type Line = {
  row: number;
  status: number;
  key: string;
  /** Statement that lines share, for so many invoices. */
  statement: (invoices: number) => Statement;
  /** Intuit's id of the exchange that the problem comes from. */
  tid?: string | null;
  /** Null for a remark on the whole file. */
  entry: ResultEntry | null;
};

/** Neighboring lines that say the same, the first of them the `lead`. */
export type JoinedLines = { lead: Line; lines: Line[]; first: number; last: number };

/** Joins lines in order: one joins the last line with the same statement when its row is the next. */
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
