import type { RunDefinition } from "#platform/runs/define-run.ts";

/** How a process works on runs; tests and batteries bring shorter times. */
export type RunTimes = {
  /** Runs of one process at a time. They wait for vendors most of the time, so they are many more than cores. */
  slots: number;
  /** A process that has not renewed its lease for this long is dead, and its runs go to others. */
  leaseMs: number;
  /** A run keeps its slot at least this long while others wait for one. */
  sliceMs: number;
  /** How often to look for runs that became due, or whose notification was lost. */
  pollMs: number;
};

/** Renewals that may fail or be late before a lease ends. */
export const RENEWALS_A_LEASE = 4;

/** A run that saves nothing for this long hangs: any call to a vendor and any statement ends sooner. */
export const RUN_LIMIT_MS = 15 * 60_000;

/** A run that failed this often in a row on our side has failed for good. */
export const MAX_FAILURES = 8;

/** How long after a failure the next attempt begins: 3 s, 7 s, 20 s … 50 min. @param failures in a row, from 1 */
export const retryAfterMs = (failures: number): number => Math.exp(Math.min(failures, MAX_FAILURES)) * 1000;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/** When a periodic run is due next. */
export function nextTime({ every, at = "00:00" }: Pick<RunDefinition, "every" | "at">, now: Date): Date {
  if (every === "minute") return new Date(now.getTime() + MINUTE_MS);
  const today = Date.parse(`${now.toISOString().slice(0, 10)}T${at}:00Z`);
  return new Date(today > now.getTime() ? today : today + DAY_MS);
}
