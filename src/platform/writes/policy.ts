/** Every wait and limit of writes to a vendor. Configuration may set the waits, so that a battery takes seconds. */
export type WritePolicy = {
  /** Wait before the first search for a write whose answer was lost. Finding it early is safe at any time. */
  firstLookMs: number;
  /** Time that the vendor may still work on a call it has not answered; until then "not there" proves nothing. */
  vendorLimitMs: number;
  /** Time that a search may not show what was just written. Concerns writes that the vendor does not protect by a key. */
  indexLagMs: number;
  /** Wait of a run when the vendor answers nothing, searches included. */
  outageMs: number;
  /** Searches that find nothing before a write is unresolved, and the waits between them. */
  maxRounds: number;
  roundWaitsMs: readonly number[];
  /** Calls in a row without a clear answer after which a run sends nothing more for now. */
  maxUnansweredCalls: number;
  /** Writes of one run in doubt at a time. No more are sent then: a vendor that takes nothing leaves few in doubt. */
  maxInDoubt: number;
};

const MINUTE_MS = 60_000;

export const WRITE_POLICY: WritePolicy = {
  // Answers are lost at the end of a call; what was made is usually shown within seconds.
  firstLookMs: 10_000,
  // Intuit gives up after 120 s, our own time-out is 125 s.
  vendorLimitMs: 125_000,
  // Intuit does not say how soon a query shows what was written; three minutes are on record.
  indexLagMs: 5 * MINUTE_MS,
  // An outage lasts minutes to hours, and searches are metered.
  outageMs: 5 * MINUTE_MS,
  // More than five hours in all. Intuit's incidents last hours, but an upload must end.
  maxRounds: 18,
  // Each send is followed by a first look and by one that proves; after three sends the rounds come less often.
  roundWaitsMs: [0, 0, 0, 0, 0, 5, 10, 20, 30].map((minutes) => minutes * MINUTE_MS),
  // One call in eight unanswered is a bad day and goes on; five in a row are an outage.
  maxUnansweredCalls: 5,
  // Eight batches.
  maxInDoubt: 200,
};

/** Wait before the next round, after so many that found nothing. */
export const roundWaitMs = ({ roundWaitsMs }: WritePolicy, rounds: number): number =>
  roundWaitsMs[Math.min(rounds, roundWaitsMs.length - 1)] ?? 0;
