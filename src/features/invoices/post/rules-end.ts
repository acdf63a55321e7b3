import { IntuitError, type IntuitErrorKind } from "#integrations/intuit/errors.ts";
import { WorkbookRefused } from "#formats/xlsx/refusals.ts";
import type { JobRun } from "#platform/jobs/define-job.ts";

/** Why QuickBooks takes nothing more from us for a company until somebody mends that. */
export type StopCause = "subscription" | "permission" | "quota";

/** What ends all of the work early: it waits for a person to reconnect, or stops. */
export type EarlyEnd = { kind: "reconnect" } | { kind: "stop"; cause: StopCause };

/** How a batch ended for all of its work. */
export type BatchEnd = { kind: "settled" } | EarlyEnd;

/** How one batch was left. `open`: some invoices must be asked for again; `silent` when no try brought any answer. */
export type Sent = BatchEnd | { kind: "open"; silent: boolean };

/**
 * How one start of work on an upload ended, be it posted or undone. `later`: it waits, and is taken up again by itself
 * after that many ms. `failed`: it failed too often on our side. `refused`: the file cannot be used, though it could when
 * it was accepted.
 */
export type WorkEnd =
  | BatchEnd
  | { kind: "failed" }
  | { kind: "refused"; reason: string }
  | { kind: "interrupted" }
  | { kind: "later"; state: "queued" | "paused"; reason: string; afterMs: number };

/** What people are told of work that waits or ended early. */
export type EndWords = {
  reconnect: string;
  noAnswer: string;
  failed: string;
  again(at: Date): string;
} & Record<StopCause, string>;

/** Some invoices were sent and QuickBooks never said what became of them: the job comes back and asks again. */
export class StillUnclear extends Error {
  override name = "StillUnclear";
  override message = "QuickBooks gave no clear answer for some invoices of an upload.";
  /** The most rounds in which one of them stayed unclear though QuickBooks answered when asked for it. */
  readonly rounds: number;
  constructor(rounds = 0) {
    super();
    this.rounds = rounds;
  }
}

/** From this attempt on the work waits for QuickBooks instead of failing. */
const PATIENT_FROM = 3;
const AGAIN_AFTER_MS = 5 * 60_000;
const LONGEST_WAIT_MS = 30 * 60_000;

/**
 * Rounds in which an invoice may stay unclear though QuickBooks answers when asked for it; by the waits between them
 * more than five hours. Then it gets its end all the same.
 */
export const MOST_VAIN_ROUNDS = 16;

/** Batches of an upload that may be without any answer at a time: where it takes none, the rest is better kept back. */
export const MOST_SILENT = 3;

/**
 * What a failure means for the work on an upload. `again`: the job is to fail, and its next attempt may not meet it.
 * QuickBooks' outages never end the work, only failures of our own do.
 * @param job.patient true when it waited before, or was started so often that no start may be spent on a failure
 */
export function endOfFailure(
  error: unknown,
  job: { run: JobRun; patient: boolean; words: EndWords },
): WorkEnd | { kind: "again"; isAway: boolean } {
  const end = endOf(error);
  if (end) return end;
  if (error instanceof WorkbookRefused) return { kind: "refused", reason: error.message };
  const isAway = error instanceof StillUnclear || (error instanceof IntuitError && isUnclear(error));
  if (isAway && (job.patient || job.run.attempt >= PATIENT_FROM))
    return { kind: "later", state: "paused", reason: job.words.noAnswer, afterMs: waitAfter(error) };
  return job.run.isLastAttempt ? { kind: "failed" } : { kind: "again", isAway };
}

/** Each round looks for every open invoice in the books, and Intuit counts that: rounds come less and less often. */
function waitAfter(error: unknown): number {
  const later = error instanceof StillUnclear ? Math.max(error.rounds - PATIENT_FROM, 0) : 0;
  return Math.min(AGAIN_AFTER_MS * 2 ** later, LONGEST_WAIT_MS);
}

/** What a failure means for all of an upload, or null when only one invoice is concerned. */
export function endOf(error: unknown): EarlyEnd | null {
  if (!(error instanceof IntuitError)) return null;
  if (error.kind === "reconnect" || error.kind === "auth") return { kind: "reconnect" };
  return isStopCause(error.kind) ? { kind: "stop", cause: error.kind } : null;
}

const isStopCause = (kind: IntuitErrorKind): kind is StopCause =>
  kind === "subscription" || kind === "permission" || kind === "quota";

/** Whether it is not known if a write was done. */
export const isUnclear = (error: IntuitError) =>
  ["uncertain", "network", "system", "throttled"].includes(error.kind) || isBusy(error);

/** A refusal in Intuit's own words, or of a body too large for it; any other page may come from somebody on the way. */
export const isOwnRefusal = (error: IntuitError) =>
  !isUnclear(error) && (error.faults.length > 0 || error.http === 413);

/** Whether QuickBooks says that it failed to make what an item of a batch asked for. */
export const saysFailed = (fault: IntuitError | null) =>
  fault?.kind === "system" || fault?.kind === "throttled";

/** Whether QuickBooks still works on an earlier send of the same request. */
export const isBusy = (error: IntuitError) => error.faults.some(({ code }) => code === "600");

/** Why work ended before all of it was done, null when it did not. */
export function earlyReason(end: WorkEnd, words: EndWords): string | null {
  if (end.kind === "failed") return words.failed;
  if (end.kind === "refused") return end.reason;
  return end.kind === "stop" ? words[end.cause] : null;
}

/** State and reason that people and the next start see. */
export function endingOf(end: WorkEnd, words: EndWords, now: Date) {
  switch (end.kind) {
    case "settled":
      return { state: "finished", reason: "", finishedAt: now } as const;
    case "stop":
    case "failed":
    case "refused":
      return { state: "stopped", reason: earlyReason(end, words) ?? "", finishedAt: now } as const;
    case "interrupted":
      return { state: "queued", reason: "", finishedAt: null } as const;
    case "later":
      return { state: end.state, reason: end.reason, finishedAt: null } as const;
    case "reconnect":
      return { state: "paused", reason: words.reconnect, finishedAt: null } as const;
  }
}
