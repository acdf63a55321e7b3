import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Log } from "#platform/log.ts";
import { addMeteredCalls } from "#platform/outbound/store.ts";

/** Calls of the current UTC month, of all processes, and how many the vendor allows. */
export type MonthOfCalls = { calls: number; limit: number };

export type Meter = {
  /** Counts a call that is about to leave. Never fails it. */
  count(): Promise<void>;
  /** Saves what this process has counted, then reads the month. Others' last few calls may be missing. */
  readMonth(): Promise<MonthOfCalls>;
};

type Options = { db: Db; clock: Clock; log: Log; vendor: string; monthlyLimit: number };

/** Counted calls are saved together: a killed process forgets at most this many, or those of this long. */
const SAVE_EVERY_CALLS = 50;
const SAVE_EVERY_MS = 10_000;
/** Part of the month's calls at which operators are warned. */
const WARN_AT = 0.8;

/**
 * Counts the calls that a vendor meters by the month, for all processes in one table. Logs one warning a month, when
 * 80 % are used.
 */
export function createMeter({ db, clock, log, vendor, monthlyLimit }: Options): Meter {
  let pending = 0;
  let savedAt = clock.now().getTime();

  async function save(): Promise<number> {
    const now = clock.now();
    const calls = pending;
    pending = 0;
    savedAt = now.getTime();
    try {
      const month = await addMeteredCalls(db, { vendor, day: now.toISOString().slice(0, 10), calls });
      const warnFrom = monthlyLimit * WARN_AT;
      // The table adds them up one after the other, so one process passes the mark, once a month.
      if (month >= warnFrom && month - calls < warnFrom)
        log.warn({ vendor, calls: month, limit: monthlyLimit }, "80 % of a month's metered calls are used");
      return month;
    } catch (error) {
      pending += calls;
      throw error;
    }
  }

  return {
    count: async () => {
      pending += 1;
      const isDue = pending >= SAVE_EVERY_CALLS || clock.now().getTime() - savedAt >= SAVE_EVERY_MS;
      if (!isDue) return;
      await save().catch((error: unknown) =>
        log.warn(
          { err: error, vendor },
          "Metered calls could not be saved; they are saved with the next ones",
        ),
      );
    },
    readMonth: async () => ({ calls: await save(), limit: monthlyLimit }),
  };
}
