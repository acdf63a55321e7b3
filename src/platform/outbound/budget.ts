import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Ids } from "#platform/ids.ts";
import { createTurns } from "#platform/threads/take-turn.ts";
import {
  forgetOldLeases,
  pauseKey,
  releaseLease,
  takeLease,
  type BudgetRules,
  type LeaseKind,
} from "#platform/outbound/store.ts";

export type { BudgetRules, LeaseKind } from "#platform/outbound/store.ts";

/** The right to make one call now; released when the call ends. */
export type Lease = { id: string; key: string };

export type Budget = {
  /**
   * Waits for the right to make one call. Callers in one process are served in order.
   * @param key owner of the budget, for example a company's books at a vendor
   * @throws the signal's reason if aborted while waiting
   */
  acquire(key: string, kind: LeaseKind, signal?: AbortSignal): Promise<Lease>;
  release(lease: Lease): Promise<void>;
  /**
   * Blocks calls for the key until `untilMs` (epoch milliseconds), after a vendor answered "too many
   * requests".
   */
  pause(key: string, untilMs: number): Promise<void>;
};

type Options = {
  db: Db;
  clock: Clock;
  ids: Ids;
  rules: BudgetRules;
  /** Name of this process, under which it holds its leases. */
  holder: string;
};

/** Polling interval while all running calls must end first; they may end in another process. */
const RUNNING_POLL_MS = 50;
/** A long pause is checked in steps, so that a wrong clock elsewhere cannot stop this process for long. */
const MAX_SLEEP_MS = 5_000;
const CLEANING_EVERY_MS = 600_000;

/**
 * Creates a budget of vendor calls shared by all processes through the database: sliding windows of a second
 * and a minute and a concurrency limit. Each call takes two round trips: one to take, one to release. Nothing
 * is locked during a call.
 */
export function createBudget({ db, clock, ids, rules, holder }: Options): Budget {
  const takeTurn = createTurns({ places: Infinity, placesPerOwner: 1, waitingPerOwner: Infinity });
  let cleanedAt = clock.now().getTime();

  async function waitForLease(key: string, kind: LeaseKind, signal?: AbortSignal): Promise<Lease> {
    const id = ids.uuid();
    for (;;) {
      signal?.throwIfAborted();
      const now = clock.now();
      const { granted, retryAt } = await takeLease(db, { id, holder, key, kind, now, rules });
      if (granted && signal?.aborted) await releaseLease(db, id, now);
      if (granted && !signal?.aborted) return { id, key };
      const waitMs = retryAt ? retryAt.getTime() - now.getTime() : RUNNING_POLL_MS;
      await clock.sleep(Math.min(Math.max(waitMs, 1), MAX_SLEEP_MS), signal);
    }
  }

  async function cleanNowAndThen(): Promise<void> {
    const now = clock.now();
    if (now.getTime() - cleanedAt < CLEANING_EVERY_MS) return;
    cleanedAt = now.getTime();
    await forgetOldLeases(db, now);
  }

  return {
    // Batches wait in a separate line: their budget may be spent for a minute while single calls are allowed.
    acquire: async (key, kind, signal) => {
      const endTurn = await takeTurn(`${kind} ${key}`, signal);
      try {
        return await waitForLease(key, kind, signal);
      } finally {
        endTurn();
      }
    },
    release: async (lease) => {
      await releaseLease(db, lease.id, clock.now());
      await cleanNowAndThen();
    },
    pause: (key, untilMs) => pauseKey(db, key, { until: new Date(untilMs), now: clock.now() }),
  };
}
