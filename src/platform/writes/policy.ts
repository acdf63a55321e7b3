import { MINUTE_MS } from "#platform/time.ts";

/**
 * All delays and limits of writes to a vendor. The configuration may set the delays, so that tests take
 * seconds.
 */
export type WritePolicy = {
  /** `never`: the vendor does not recognize a repeated call, so a write is sent once and then only searched for. */
  repeats: "by_request_id" | "never";
  /** Delay before the first search for a write with a lost answer. An early search is always safe. */
  firstLookMs: number;
  /** Maximum time the vendor may still work on an unanswered call; until then "not found" proves nothing. */
  vendorLimitMs: number;
  /**
   * Maximum time until a search shows new data. Only matters for writes that the vendor does not protect by a
   * key.
   */
  indexLagMs: number;
  /** Delay of a run while the vendor answers nothing, searches included. */
  outageMs: number;
  /** Empty searches before a write is unresolved, and the delays between them. */
  maxRounds: number;
  roundWaitsMs: readonly number[];
  /** Consecutive calls without a clear answer after which a run stops sending for now. */
  maxUnansweredCalls: number;
  /**
   * Maximum writes in doubt per run, above which no more are sent, so that a failing vendor leaves only a few
   * in doubt.
   */
  maxInDoubt: number;
};

export const WRITE_POLICY: WritePolicy = {
  repeats: "by_request_id",
  // Answers are lost at the end of a call; searches usually show the result within seconds.
  firstLookMs: 10_000,
  // Intuit gives up after 120 s; our own timeout is 125 s.
  vendorLimitMs: 125_000,
  // Intuit does not specify when a query shows new data; three minutes have been seen.
  indexLagMs: 5 * MINUTE_MS,
  // An outage lasts minutes to hours, and searches are metered.
  outageMs: 5 * MINUTE_MS,
  // More than five hours in total. Intuit's incidents last hours, but an upload must end.
  maxRounds: 18,
  // Each send is followed by an early search and a conclusive one; after three sends the searches become less
  // frequent.
  roundWaitsMs: [0, 0, 0, 0, 0, 5, 10, 20, 30].map((minutes) => minutes * MINUTE_MS),
  // One unanswered call in eight is a bad day and work continues; five in a row are an outage.
  maxUnansweredCalls: 5,
  // Eight batches.
  maxInDoubt: 200,
};

/** Delay before the next search, after a number of empty ones. */
export const roundWaitMs = ({ roundWaitsMs }: WritePolicy, rounds: number): number =>
  roundWaitsMs[Math.min(rounds, roundWaitsMs.length - 1)] ?? 0;
