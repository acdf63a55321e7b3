import { MAX_FAILING_MS, MAX_RETRY_AFTER_MS, RETRY_DELAYS_MS } from "#features/programs/webhooks/limits.ts";
import type { PostAnswer } from "#platform/outbound/post-once.ts";

/** Outcome of an attempt. `turnOff`: why the endpoint is turned off; null if it stays on. */
export type Verdict = {
  state: "queued" | "delivered" | "failed";
  dueAt: Date | null;
  turnOff: "gone" | "failing" | null;
};

const GONE = "410";
/** Too Many Requests and Service Unavailable: with these, the receiver may send Retry-After. */
const BUSY = ["429", "503"];

/** Facts of an attempt that its verdict depends on. */
type AttemptFacts = {
  /** Number of attempts to deliver the message, including this one. */
  attempts: number;
  /** Time since which the endpoint has accepted nothing; null if it just accepted this message. */
  failingSince: Date | null;
  now: Date;
  /** The receiver's Retry-After; undefined if it sent none. */
  retryAfterSeconds?: number | undefined;
};

/**
 * Decides what a response means for its message and its endpoint.
 * @param answer HTTP status, or the reason for a missing response
 */
export function decide(
  answer: string,
  { attempts, failingSince, now, retryAfterSeconds = 0 }: AttemptFacts,
): Verdict {
  if (/^2\d\d$/.test(answer)) return { state: "delivered", dueAt: null, turnOff: null };
  if (answer === GONE) return { state: "failed", dueAt: null, turnOff: "gone" };
  const waitMs = RETRY_DELAYS_MS[attempts - 1];
  if (waitMs === undefined) {
    // Only after the last attempt: otherwise two failures days apart would turn off an endpoint with few messages.
    const isLong = failingSince !== null && now.getTime() - failingSince.getTime() >= MAX_FAILING_MS;
    return { state: "failed", dueAt: null, turnOff: isLong ? "failing" : null };
  }
  const retryAfterMs = BUSY.includes(answer) ? Math.min(retryAfterSeconds * 1_000, MAX_RETRY_AFTER_MS) : 0;
  return { state: "queued", dueAt: new Date(now.getTime() + Math.max(waitMs, retryAfterMs)), turnOff: null };
}

/** Text of a response, as stored. */
export const readAnswer = (answer: PostAnswer): string =>
  "status" in answer ? String(answer.status) : answer.fault;
