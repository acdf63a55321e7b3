import type { RunDefinition } from "#platform/runs/define-run.ts";
import { DAY_MS, MINUTE_MS } from "#platform/time.ts";

/** Times for working on runs; tests use shorter ones. */
export type RunTimes = {
  /** A process that has not renewed its lease for this long is dead, and other processes take its runs. */
  leaseMs: number;
  /** A run keeps its slot at least this long while others wait for one. */
  sliceMs: number;
  /** Polling interval for runs that became due, or whose notification was lost. */
  pollMs: number;
};

/** Renewals per lease; all but one may fail or be late. */
export const RENEWALS_A_LEASE = 4;

/** A run that saves nothing for this long hangs: any vendor call and any statement ends sooner. */
export const RUN_LIMIT_MS = 15 * 60_000;

/** Consecutive failures on our side after which a run has failed for good. */
export const MAX_FAILURES = 8;

/**
 * Delay before the next attempt after a failure: 3 s, 7 s, 20 s … 50 min. @param failures in a row, starting
 * at 1
 */
export const retryAfterMs = (failures: number): number => Math.exp(Math.min(failures, MAX_FAILURES)) * 1000;

/** Finds the next time of a periodic run. */
export function nextTime({ every, at = "00:00" }: Pick<RunDefinition, "every" | "at">, now: Date): Date {
  if (every === "minute") return new Date(now.getTime() + MINUTE_MS);
  const today = Date.parse(`${now.toISOString().slice(0, 10)}T${at}:00Z`);
  return new Date(today > now.getTime() ? today : today + DAY_MS);
}
