import { IntuitError } from "#integrations/intuit/errors.ts";
import type { JobRun } from "#platform/jobs/define-job.ts";
import { endOf, isUnclear, type BatchEnd } from "#features/invoices/request-batch.ts";

/** How one start of an upload ended. `later`: it waits, and is taken up again by itself after that many ms. */
export type End =
  | BatchEnd
  | { kind: "interrupted" }
  | { kind: "checked" }
  | { kind: "later"; state: "queued" | "paused"; reason: string; afterMs: number };

/** Some invoices were sent and QuickBooks never said what became of them: the job comes back and asks again. */
export class StillUnclear extends Error {
  override name = "StillUnclear";
  override message = "QuickBooks gave no clear answer for some invoices of an upload.";
}

/** From this attempt on an upload waits for QuickBooks instead of failing. */
const PATIENT_FROM = 3;
const AGAIN_AFTER_MS = 5 * 60_000;

/**
 * What a failure means for an upload, or null when the job is to be tried again at once. QuickBooks' outages never end
 * an upload, only failures of our own do.
 * @param job.patient true when it waited before, or was started so often that no start may be spent on a failure
 */
export function endOfFailure(
  error: unknown,
  job: { uploadId: string; run: JobRun; patient: boolean },
): End | null {
  const end = endOf(error);
  if (end) return end;
  const isAway = error instanceof StillUnclear || (error instanceof IntuitError && isUnclear(error));
  if (isAway && (job.patient || job.run.attempt >= PATIENT_FROM))
    return { kind: "later", state: "paused", reason: NO_ANSWER, afterMs: AGAIN_AFTER_MS };
  return job.run.isLastAttempt ? { kind: "stop", reason: gaveUp(job.uploadId) } : null;
}

/** State and reason that people and the next start see. */
export function endingOf(end: End, now: Date) {
  switch (end.kind) {
    case "settled":
      return { state: "finished", reason: "", finishedAt: now } as const;
    case "stop":
      return { state: "stopped", reason: end.reason, finishedAt: now } as const;
    case "checked":
      return { state: "checked", reason: "", finishedAt: null } as const;
    case "interrupted":
      return { state: "queued", reason: "", finishedAt: null } as const;
    case "later":
      return { state: end.state, reason: end.reason, finishedAt: null } as const;
    case "reconnect":
      return { state: "paused", reason: RECONNECT, finishedAt: null } as const;
  }
}

/** An upload waits while invoices of the same file are taken out of the books; a waiting undo takes longer. */
export const behindUndo = (undo: "queued" | "paused"): End => ({
  kind: "later",
  state: undo,
  reason: BEHIND_UNDO,
  afterMs: undo === "paused" ? 60_000 : 5_000,
});

export const UNKNOWN_AFTER_STOP =
  "QuickBooks gave no clear answer before the upload stopped, so we do not know whether this invoice was stored. Look for it in QuickBooks before you send it again.";

const RECONNECT =
  "Waiting: the company must be connected to QuickBooks again. Nothing is lost; the upload goes on by itself.";
const NO_ANSWER = "Waiting: QuickBooks does not answer. Nothing is lost; the upload goes on by itself.";
const BEHIND_UNDO =
  "Waiting: an earlier upload of this file is being undone. Nothing is lost; the upload goes on by itself.";

export const gaveUp = (uploadId: string) =>
  `Not posted: this upload failed again and again on our side. Contact us with the support id ${uploadId}; uploading the file again posts only what is missing.`;
