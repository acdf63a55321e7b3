import { setTimeout as wait } from "node:timers/promises";

/** The only source of time. Tests and benches provide their own. */
export type Clock = {
  now(): Date;
  /** Milliseconds that only grow, also when the time is set to another. Left out by clocks that are never set. */
  steadyMs?(): number;
  /** Resolves after `ms` milliseconds, or at once when `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: () => new Date(),
  steadyMs: () => performance.now(),
  // Rejected only if aborted.
  sleep: (ms, signal) => wait(ms, undefined, signal && { signal }).catch(() => undefined),
};
