import type { IntuitError } from "#integrations/intuit/errors.ts";

/** Step before the next attempt; null for no further attempt. */
export type Retry =
  | { kind: "renew" }
  | { kind: "pause"; seconds: number }
  | { kind: "wait"; ms: number }
  | null;

/** Retries of an operation so far, by kind. */
export type Tried = Record<NonNullable<Retry>["kind"], number>;

const SERVER_WAITS_MS = [1_000, 4_000, 15_000];
/** Pause if there is no Retry-After; Intuit advises a minute. */
const THROTTLE_PAUSE_S = 60;
/** Maximum Retry-After: a wrong one must not stop a company for a day, and an early retry is harmless. */
const MAX_PAUSE_S = 600;
const THROTTLE_RETRIES = { read: 1, write: 5 };

/**
 * Plans only retries that are certainly harmless: a refused token is renewed once; a throttled call was not
 * done and waits; a failed read, or a request that was certainly not sent, is retried after 1, 4 and 15 s,
 * with 25% jitter. A write that may have been done is never repeated here.
 */
export function planRetry(error: IntuitError, tried: Tried, { write = false }: { write?: boolean }): Retry {
  if (error.http === 401 && error.kind === "auth") return tried.renew > 0 ? null : { kind: "renew" };
  if (error.kind === "throttled") {
    const isSpent = tried.pause >= THROTTLE_RETRIES[write ? "write" : "read"];
    return isSpent ? null : { kind: "pause", seconds: pauseSeconds(error) };
  }
  const waitMs = SERVER_WAITS_MS[tried.wait];
  if (waitMs === undefined || !isHarmlessToRepeat(error, write)) return null;
  return { kind: "wait", ms: waitMs * (0.75 + Math.random() / 2) };
}

const pauseSeconds = ({ retryAfterSeconds = THROTTLE_PAUSE_S }: IntuitError) =>
  Math.min(Math.max(retryAfterSeconds, 1), MAX_PAUSE_S);

/** For a write, `network` means certainly not sent; `uncertain` means possibly sent. */
function isHarmlessToRepeat(error: IntuitError, write: boolean): boolean {
  return error.kind === "network" || (!write && ["system", "environment"].includes(error.kind));
}
