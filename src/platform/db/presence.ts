import type pg from "pg";
import { databaseFailure, isAway } from "#platform/db/failure.ts";
import type { Log } from "#platform/log.ts";

export type Presence = ReturnType<typeof watchPresence>;

/**
 * Watches whether the server is there. Once it was away, another may be the primary, so that connections made before are
 * closed instead of used.
 */
export function watchPresence(pool: pg.Pool, log: Log) {
  let awaySince: number | null = null;
  let answeredAt = 0;
  let outages = 0;
  const madeIn = new WeakMap<pg.PoolClient, number>();
  pool.on("connect", (client) => void madeIn.set(client, outages));
  return {
    /** @returns the failure for the caller */
    fail: (error: unknown): unknown => {
      const failure = databaseFailure(error);
      if (!isAway(failure)) return failure;
      if (awaySince === null && !pool.ending) {
        log.warn({ err: failure }, "The database is away");
        awaySince = performance.now();
        outages += 1;
      }
      return failure;
    },
    answered: (): void => {
      answeredAt = performance.now();
      if (awaySince === null) return;
      const seconds = Math.ceil((performance.now() - awaySince) / 1_000);
      log.warn({ seconds }, "The database is back");
      awaySince = null;
    },
    /**
     * Whether a call that began at `startedAt` waits for the next primary: only at the beginning of an outage, because a longer
     * one is no change of the primary.
     */
    isWorthWaiting: (startedAt: number, ms: number): boolean =>
      !pool.ending && performance.now() - Math.min(startedAt, awaySince ?? startedAt) < ms,
    hasAnsweredSince: (time: number): boolean => answeredAt > time,
    isOld: (client: pg.PoolClient): boolean => (madeIn.get(client) ?? outages) < outages,
  };
}
