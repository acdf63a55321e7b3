import { DAY_MS, HOUR_MS, MINUTE_MS } from "#platform/time.ts";

/** A company has an endpoint for each of its programs, and one more while it changes one. */
export const MAX_ENDPOINTS = 20;
/** Messages that Settings lists. */
export const MAX_LISTED = 50;
/** Messages sent again by one call: each is a run. */
export const MAX_REPLAYED = 1_000;

/** Time for one attempt; the Standard Webhooks specification recommends 15 to 30 s at most. */
export const ATTEMPT_MS = 10_000;

/** Delays after each failed attempt, as the Standard Webhooks specification recommends; after the last, the message has failed. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];

/** The longest wait that a receiver's Retry-After gets: a wrong one must not hold a message for weeks. */
export const MAX_RETRY_AFTER_MS = 10 * HOUR_MS;

/** Time without an accepted message after which an endpoint is turned off, once a message has failed for good. */
export const MAX_FAILING_MS = 5 * DAY_MS;

/** How long messages are signed with a replaced secret too. */
export const OVERLAP_MS = DAY_MS;

/** How long messages are kept, so that they can be sent again. */
export const KEPT_MS = 90 * DAY_MS;
