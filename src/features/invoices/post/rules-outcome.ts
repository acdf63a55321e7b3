import { ObjectMissing } from "#integrations/objects/file-store.ts";
import { IntuitError } from "#integrations/intuit/errors.ts";
import { endOf, leavesInDoubt, type EarlyEnd } from "#integrations/intuit/fault-meaning.ts";
import { FileRefused } from "#formats/facts.ts";
import { MAX_FAILURES } from "#platform/runs/times.ts";
import type { Cause, Ending } from "#platform/runs/types.ts";

/**
 * How one start of work on an upload ended, be it posted or undone. `wait`: it waits, and is taken up again by itself
 * after that many ms, or by whoever ends its cause when that is null. `retry`: it failed on our side, and the next attempt
 * may not. `checked`: a check is made and waits for a user. `failed`: it failed too often on our side. `refused`: the file cannot be used, though it could when
 * it was accepted.
 */
export type WorkOutcome =
  | { kind: "settled" }
  | EarlyEnd
  | { kind: "checked" }
  | { kind: "failed" }
  | { kind: "refused"; cause: Cause }
  | { kind: "interrupted" }
  | { kind: "wait"; cause: Cause; afterMs: number | null }
  | { kind: "retry"; isAway: boolean };

/** From this attempt on the work waits for QuickBooks instead of failing. */
const WAIT_FROM_ATTEMPT = 3;
const RETRY_AFTER_MS = 5 * 60_000;

/**
 * What a failure means for the work on an upload. QuickBooks' outages never end the work, only failures of our own do.
 * @param run.failures in a row before this start; `waitedFor`: why it waited until now
 */
export function outcomeOfFailure(
  error: unknown,
  run: { failures: number; waitedFor: Cause | null },
): WorkOutcome {
  const end = endOf(error);
  if (end) return end;
  if (error instanceof FileRefused) return refusedBy(error);
  if (error instanceof ObjectMissing) return { kind: "refused", cause: { code: "file_missing" } };
  const isAway = error instanceof IntuitError && leavesInDoubt(error);
  const failures = run.failures + 1;
  const hasWaited = run.failures === 0 && run.waitedFor?.code === "no_answer";
  if (isAway && (hasWaited || failures >= WAIT_FROM_ATTEMPT))
    return { kind: "wait", cause: { code: "no_answer" }, afterMs: RETRY_AFTER_MS };
  return failures >= MAX_FAILURES ? { kind: "failed" } : { kind: "retry", isAway };
}

const refusedBy = ({ code, params }: FileRefused): WorkOutcome => ({
  kind: "refused",
  cause: { code: "file_refused", params: { ...params, refusal: code } },
});

/** Why work ended before all of it was done, null when it did not. */
export function earlyCause(end: WorkOutcome): Cause | null {
  if (end.kind === "failed") return { code: "failed" };
  if (end.kind === "refused") return end.cause;
  return end.kind === "stop" ? { code: end.cause } : null;
}

/** What an end means for the run. @param retryAt when the next attempt begins after a failure on our side */
export function endingOf(end: WorkOutcome, { now, retryAt }: { now: Date; retryAt: Date }): Ending {
  const early = earlyCause(end);
  if (early) return { state: "stopped", cause: early };
  switch (end.kind) {
    case "wait": {
      const dueAt = end.afterMs === null ? null : new Date(now.getTime() + end.afterMs);
      return { state: "waiting", cause: end.cause, dueAt };
    }
    case "reconnect":
      return { state: "waiting", cause: { code: "reconnect" }, dueAt: null };
    case "retry": {
      const failed = { code: "failed_once", params: { at: retryAt.toISOString() } };
      const cause = end.isAway ? { code: "no_answer" } : failed;
      return { state: "waiting", cause, dueAt: retryAt, failed: true };
    }
    case "interrupted":
      return { state: "queued" };
    default:
      return { state: "done" };
  }
}
