import { MAX_FAILING_MS, MAX_RETRY_AFTER_MS, WAITS_MS } from "#features/programs/webhooks/limits.ts";
import type { PostAnswer } from "#platform/outbound/post-once.ts";

/** Outcome of an attempt. `turnOff`: why the endpoint is sent nothing any more; null if it still is. */
export type Verdict = {
  state: "queued" | "delivered" | "failed";
  dueAt: Date | null;
  turnOff: "gone" | "failing" | null;
};

const GONE = "410";
/** Too Many Requests and Service Unavailable: with these, the receiver may say when to try again. */
const BUSY = ["429", "503"];

/** Facts of an attempt that its verdict depends on. */
type Sent = {
  /** Attempts of the message, with this one. */
  attempts: number;
  /** Since when the endpoint has accepted nothing; null if it just did. */
  failingSince: Date | null;
  now: Date;
  /** The receiver's Retry-After; undefined if it sent none. */
  retryAfterSeconds?: number | undefined;
};

/**
 * Decides what an answer means for its message and its endpoint.
 * @param answer status, or why there was none
 */
export function decide(
  answer: string,
  { attempts, failingSince, now, retryAfterSeconds = 0 }: Sent,
): Verdict {
  if (/^2\d\d$/.test(answer)) return { state: "delivered", dueAt: null, turnOff: null };
  if (answer === GONE) return { state: "failed", dueAt: null, turnOff: "gone" };
  const waitMs = WAITS_MS[attempts - 1];
  if (waitMs === undefined) {
    // Not before: an endpoint with few messages would be turned off by one failure, days after another.
    const isLong = failingSince !== null && now.getTime() - failingSince.getTime() >= MAX_FAILING_MS;
    return { state: "failed", dueAt: null, turnOff: isLong ? "failing" : null };
  }
  const askedMs = BUSY.includes(answer) ? Math.min(retryAfterSeconds * 1_000, MAX_RETRY_AFTER_MS) : 0;
  return { state: "queued", dueAt: new Date(now.getTime() + Math.max(waitMs, askedMs)), turnOff: null };
}

/** Text of an answer, as it is stored. */
export const readAnswer = (answer: PostAnswer): string =>
  "status" in answer ? String(answer.status) : answer.fault;
