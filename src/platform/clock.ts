import { setTimeout as wait } from "node:timers/promises";

/** The only source of time. Tests and benches provide their own. */
export type Clock = {
  now(): Date;
  /** Resolves after `ms` milliseconds, or at once when `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  now: () => new Date(),
  // Rejected only if aborted.
  sleep: (ms, signal) => wait(ms, undefined, signal && { signal }).catch(() => undefined),
};
