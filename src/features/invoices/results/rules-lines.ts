import type { Statement } from "#features/invoices/ledger/tables.ts";

/** What one row says. Neighbours with equal status and key are one result. */
export type Line = {
  row: number;
  status: number;
  key: string;
  /** What lines have in common, for so many invoices. */
  says: (invoices: number) => Statement;
  /** Intuit's id of the exchange that the problem comes from. */
  tid?: string | null;
  entry: number;
  /** How many invoices the entry stands for. */
  invoices: number;
};

/** Neighbouring lines that say the same. */
type Run = { lines: Line[]; first: number; last: number };

/** Lines in order, put together: one goes on with the last line that said the same, when its row is the next. */
export function joinLines(lines: readonly Line[]): Run[] {
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

export function leadOf([lead]: readonly Line[]): Line {
  if (!lead) throw new Error("A result has no line.");
  return lead;
}

export function countInvoices(lines: readonly Line[]): number {
  const entries = new Map(lines.map(({ entry, invoices }) => [entry, invoices]));
  return [...entries.values()].reduce((sum, invoices) => sum + invoices, 0);
}

/** A few are enough for Intuit's support. */
const MAX_TIDS = 3;

export const tidsOf = (lines: readonly Line[]): string[] =>
  [...new Set(lines.flatMap(({ tid }) => tid ?? []))].slice(0, MAX_TIDS);
