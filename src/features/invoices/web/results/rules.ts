import { RESULT_STATUS, type UploadResult } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import type { Tone } from "#web/theme/colors.ts";

const TONES: Readonly<Record<number, Tone>> = {
  0: "grey",
  1: "grey",
  2: "red",
  3: "amber",
  4: "red",
  5: "grey",
  6: "grey",
  7: "blue",
  8: "amber",
  9: "red",
  100: "green",
  101: "green",
};

/** Word and color of a status code; an unknown code shows its number. */
export function describeStatus(code: number): { word: string; tone: Tone } {
  return { word: uploadWords.status[code] ?? uploadWords.unknownStatus(code), tone: TONES[code] ?? "amber" };
}

const PROBLEMS: ReadonlySet<number> = new Set([
  RESULT_STATUS.templateDataError,
  RESULT_STATUS.failedContinuing,
  RESULT_STATUS.failedTerminated,
  RESULT_STATUS.failedUnknown,
]);

/** Whether a status needs a user's attention, exactly as the server's `problems` filter decides. */
export function isProblem(code: number): boolean {
  return PROBLEMS.has(code);
}

/** Results with the same status and cause, with the rows of all of them. */
export type ResultGroup = {
  status: number;
  message: string;
  rows: readonly string[];
  intuit_tids: UploadResult["intuit_tids"];
  posted: UploadResult["posted"];
  /** Number of invoices that the message counts; absent when it counts none. */
  invoices: number | undefined;
};

type Groups = { groups: ResultGroup[]; notes: ResultGroup[] };

/**
 * Orders results by relevance to users: problems first, equal causes together, then those in progress,
 * posted, and left out. Remarks on the file are `notes`.
 */
export function groupResults(results: readonly UploadResult[]): Groups {
  const notes = results.filter(({ remark }) => remark);
  const others = notes.length === 0 ? results : results.filter(({ remark }) => !remark);
  const byRank: ResultGroup[][] = [[], [], [], []];
  for (const group of groupByCause(others)) byRank[rank(group.status)]?.push(group);
  return { groups: byRank.flat(), notes: groupByCause(notes) };
}

/** Reads each result once and copies only what is shown: an upload may have 10,000. */
function groupByCause(results: readonly UploadResult[]): ResultGroup[] {
  const groups = new Map<string, ResultGroup & { rows: string[] }>();
  for (const result of results) {
    const { status, rows, message: own, cause, intuit_tids, posted, invoices } = result;
    const message = cause ?? own;
    // Two messages about the same number of invoices are about different ones.
    const key = `${status} ${invoices === undefined ? message : rows}`;
    const known = groups.get(key);
    if (!known)
      groups.set(key, { status, message, intuit_tids, posted, invoices, rows: rows === "" ? [] : [rows] });
    else if (rows !== "") known.rows.push(rows);
  }
  return [...groups.values()];
}

/** Lower ranks come first. */
function rank(status: number): number {
  if (isProblem(status)) return 0;
  if (status === RESULT_STATUS.completed) return 2;
  return status === RESULT_STATUS.information ? 3 : 1;
}
