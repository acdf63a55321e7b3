import { ObjectMissing } from "#integrations/objects/file-store.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { leavesInDoubt } from "#integrations/intuit/fault-meaning.ts";
import { haltOf } from "#features/books/index.ts";
import { FileRefused } from "#formats/facts.ts";
import { MAX_FAILURES, retryAfterMs } from "#platform/runs/times.ts";
import type { Cause, Ending, HeldRun } from "#platform/runs/types.ts";
import type { DriveEnd } from "#platform/writes/drive-writes.ts";
import type { Cause as WriteCause } from "#platform/writes/evidence.ts";

/** From this attempt on the work waits for QuickBooks instead of failing. */
const WAIT_FROM_ATTEMPT = 3;
const RETRY_AFTER_MS = 5 * 60_000;

/**
 * What a failure means for the work on an upload, be it posted or undone. QuickBooks' outages never end the work, only
 * failures of our own do, and a file that cannot be used though it could when it was accepted.
 */
export function endingOfFailure(
  error: unknown,
  run: Pick<HeldRun, "failures" | "waitedFor">,
  now: Date,
): Ending {
  const halt = haltOf(error);
  if (halt) return endingOfHalt(halt);
  const unusable = causeOfFile(error);
  if (unusable) return { state: "stopped", cause: unusable };
  const isAway = error instanceof IntuitError && leavesInDoubt(error);
  const failures = run.failures + 1;
  const hasWaited = run.failures === 0 && run.waitedFor?.code === "no_answer";
  if (isAway && (hasWaited || failures >= WAIT_FROM_ATTEMPT))
    return waitUntil("no_answer", now.getTime() + RETRY_AFTER_MS);
  if (failures >= MAX_FAILURES) return FAILED;
  const dueAt = new Date(now.getTime() + retryAfterMs(failures));
  const cause = isAway ? { code: "no_answer" } : { code: "failed_once", params: { at: dueAt.toISOString() } };
  return { state: "waiting", cause, dueAt, failed: true };
}

function causeOfFile(error: unknown): Cause | null {
  if (error instanceof FileRefused)
    return { code: "file_refused", params: { ...error.params, refusal: error.code } };
  return error instanceof ObjectMissing ? { code: "file_missing" } : null;
}

/** It failed too often on our side. */
export const FAILED: Ending = { state: "stopped", cause: { code: "failed" } };

/** What the end of a drive of writes means for an upload or an undo. */
export function endingOfDrive(end: DriveEnd): Ending {
  switch (end.kind) {
    case "done":
      return { state: "done" };
    case "interrupted":
    case "sliceOver":
      return { state: "queued" };
    case "waiting":
      return waitUntil(end.cause.code, end.until.getTime());
    case "halted":
      return endingOfHalt(end.cause);
  }
}

/** QuickBooks takes nothing more of the company: the work waits for a user to reconnect, or stops. */
const endingOfHalt = ({ code, tid }: WriteCause): Ending =>
  code === "reconnect"
    ? { state: "waiting", cause: { code }, dueAt: null }
    : { state: "stopped", cause: { code, params: { tid } } };

export const waitUntil = (code: string, untilMs: number): Ending => ({
  state: "waiting",
  cause: { code },
  dueAt: new Date(untilMs),
});
