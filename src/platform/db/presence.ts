import type pg from "pg";
import { databaseFailure, isAway, isExhausted, isOfReplica } from "#platform/db/failure.ts";
import type { Log } from "#platform/log.ts";

export type Presence = ReturnType<typeof watchPresence>;

/** One line of the log for all calls that find no connection. */
const EXHAUSTED_EVERY_MS = 10_000;

/**
 * Watches whether the server responds. Once it was away, another may be the primary, so that connections made before are
 * closed instead of used.
 */
export function watchPresence(pool: pg.Pool, log: Log) {
  let awaySince: number | null = null;
  /** A replica is in the primary's place: only what it refuses says that this is over. */
  let isReplica = false;
  let outages = 0;
  let exhaustedAt = -Infinity;
  const madeIn = new WeakMap<pg.PoolClient, number>();
  pool.on("connect", (client) => void madeIn.set(client, outages));
  const isOld = (client: pg.PoolClient): boolean => (madeIn.get(client) ?? outages) < outages;
  return {
    /** @returns the failure for the caller */
    fail: (error: unknown): unknown => {
      const failure = databaseFailure(error);
      if (!isAway(failure)) return failure;
      if (isExhausted(failure)) {
        if (awaySince === null && performance.now() - exhaustedAt > EXHAUSTED_EVERY_MS) {
          log.warn({ connections: pool.totalCount }, "All connections to the database are in use");
          exhaustedAt = performance.now();
        }
        return failure;
      }
      if (awaySince === null && !pool.ending) {
        log.warn({ err: failure }, "The database is away");
        awaySince = performance.now();
        isReplica = isOfReplica(failure);
        outages += 1;
      }
      return failure;
    },
    /** @param isOfPrimary whether a replica would have refused the statement that was answered */
    answered: (client: pg.PoolClient, isOfPrimary: boolean): void => {
      if (awaySince === null || isOld(client) || (isReplica && !isOfPrimary)) return;
      const seconds = Math.ceil((performance.now() - awaySince) / 1_000);
      log.warn({ seconds }, "The database is back");
      awaySince = null;
      isReplica = false;
    },
    /**
     * Whether a call that began at `startedAt` waits for the next primary: only at the beginning of an outage, because a longer
     * one isn't a change of the primary.
     */
    isWorthWaiting: (startedAt: number, ms: number): boolean =>
      !pool.ending && performance.now() - Math.min(startedAt, awaySince ?? startedAt) < ms,
    isOld,
  };
}
