import { RESULT_STATUS } from "#features/invoices/contract.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import type { Tone } from "#web/theme/colors.ts";

const tones: Readonly<Record<number, Tone>> = {
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

/** How a result row of this status code reads and looks; unknown codes stay visible. */
export function describeStatus(code: number): { word: string; tone: Tone } {
  return { word: uploadWords.status[code] ?? uploadWords.unknownStatus(code), tone: tones[code] ?? "amber" };
}

const PROBLEMS: ReadonlySet<number> = new Set([
  RESULT_STATUS.templateDataError,
  RESULT_STATUS.failedContinuing,
  RESULT_STATUS.failedTerminated,
  RESULT_STATUS.failedUnknown,
]);

/** Statuses that need a user: the same as the server's `problems` filter. */
export function isProblem(code: number): boolean {
  return PROBLEMS.has(code);
}
