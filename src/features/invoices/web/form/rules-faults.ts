import { RESULT_STATUS, type UploadResult } from "#features/invoices/contract.ts";
import {
  emptyGrid,
  FIRST_ROW,
  type Grid,
  hasNumber,
  HEADERS,
  isEmptyRow,
} from "#features/invoices/web/form/rules.ts";
import { isProblem } from "#features/invoices/web/results/rules.ts";

/** Problems of cells by row and column of the grid: "3 0". `text` is the cell's text when it was sent. */
export type Faults = ReadonlyMap<string, { message: string; text: string }>;

export const noFaults: Faults = new Map();

export const faultKey = (row: number, column: number) => `${row} ${column}`;

/** Finds the problems of the grid's cells in the results of its rows. */
export function findFaults(sent: Grid, results: readonly UploadResult[]): Faults {
  const faults = new Map<string, { message: string; text: string }>();
  for (const { status, rows, problems = [] } of results) {
    if (!isProblem(status)) continue;
    for (const row of expandRange(rows).map((number) => number - FIRST_ROW)) {
      for (const { column, message } of problems) {
        const text = sent[row]?.[column];
        if (text === undefined) continue;
        const before = faults.get(faultKey(row, column))?.message;
        faults.set(faultKey(row, column), { message: before ? `${before}\n${message}` : message, text });
      }
    }
  }
  return faults;
}

/** Rows of the grid with results of a kind. A remark on the file is no result of its row. */
function rowsWith(results: readonly UploadResult[], isKind: (status: number) => boolean): Set<number> {
  const rows = results
    .filter(({ status, remark }) => !remark && isKind(status))
    .flatMap((entry) => expandRange(entry.rows));
  return new Set(rows.map((row) => row - FIRST_ROW));
}

const isPosted = (status: number) => status === RESULT_STATUS.completed;

type Settled = { sent: Grid; current: Grid; results: readonly UploadResult[] };

/**
 * Keeps the rows that still need fixing, together with their problems, and those that were skipped: only what was posted
 * leaves. A row that was changed or added after sending always stays. If rows in between are removed, an empty one remains before a row without a number:
 * otherwise two invoices with the same customer and date would become one.
 */
export function keepUnposted({ sent, current, results }: Settled): {
  grid: Grid;
  faults: Faults;
  /** Rows that stay although they have no problem. */
  skipped: number;
} {
  const problems = rowsWith(results, isProblem);
  const posted = rowsWith(results, isPosted);
  const others = rowsWith(results, () => true);
  const isSkipped = (row: number) => others.has(row) && !problems.has(row) && !posted.has(row);
  const faults = findFaults(sent, results);
  const isSame = (row: number) => isSameRow(sent[row], current[row]);
  const isDone = (row: number) => !problems.has(row) && !isSkipped(row) && isSame(row);
  const indexes = current.flatMap((cells, row) => (isEmptyRow(cells) || isDone(row) ? [] : [row]));
  const places = indexes.flatMap((row, at) => {
    const before = indexes[at - 1];
    const isApart = before !== undefined && row - before > 1 && !hasNumber(current, row);
    return isApart ? [null, row] : [row];
  });
  const moved = places.flatMap((from, to) =>
    HEADERS.flatMap((_, column) => {
      const fault = from === null ? undefined : faults.get(faultKey(from, column));
      return fault ? [[faultKey(to, column), fault] as const] : [];
    }),
  );
  const grid = places.flatMap((row) => (row === null ? emptyGrid(1) : [current[row] ?? []]));
  const skipped = indexes.filter((row) => isSkipped(row) && isSame(row)).length;
  return { grid, faults: new Map(moved), skipped };
}

function isSameRow(sent: readonly string[] | undefined, current: readonly string[] | undefined): boolean {
  return (
    sent !== undefined && current !== undefined && sent.every((text, column) => text === current[column])
  );
}

/** Lists the row numbers of "5" or "5-9". */
function expandRange(range: string): number[] {
  const [from = 0, to = from] = range.split("-").map(Number);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
