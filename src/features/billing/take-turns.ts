import { sql } from "kysely";
import { paymentBusy } from "#features/billing/errors.ts";
import { LOCK_IDLE_MS, LOCK_WAIT_MS, MAX_PAYMENTS, TURN_WAIT_MS } from "#features/billing/limits.ts";
import { timeoutSignal } from "#platform/clock.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { createTurns } from "#platform/threads/take-turn.ts";

/** Serializes work on a company's payments, and on a subscription. */
export type BillingTurns = {
  /**
   * Does work while no other process starts or ends a payment of the company.
   * @throws AppError 503 if another process takes too long
   */
  holdPayments<T>(realmId: string, work: () => Promise<T>): Promise<T>;
  /**
   * Does work while this process does no other work on the subscription; other processes are
   * detected when it is recorded.
   */
  holdSubscription<T>(id: string, work: () => Promise<T>): Promise<T>;
};

/** PostgreSQL's error code for a lock timeout. */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Creates the locks. The lock of a company's payments lasts as long as a transaction, which dies
 * with its process. It holds a connection during calls to Stripe, so a process holds only a few;
 * the others wait for their turn without one.
 */
export function createBillingTurns(
  { db, clock }: Pick<Ctx, "db" | "clock">,
  idleMs = LOCK_IDLE_MS,
): BillingTurns {
  const takePayments = createTurns({ places: MAX_PAYMENTS, placesPerOwner: 1, waitingPerOwner: Infinity });
  const takeSubscription = createTurns({ places: Infinity, placesPerOwner: 1, waitingPerOwner: Infinity });
  return {
    holdPayments: async (realmId, work) => {
      const signal = timeoutSignal(clock, TURN_WAIT_MS);
      const endTurn = await takePayments(realmId, signal).catch((error: unknown) => {
        throw signal.aborted ? paymentBusy() : error;
      });
      try {
        return await db.transaction().execute(async (tx) => {
          await lockPayments(tx, realmId, idleMs);
          const stopPings = keepAwake(tx, idleMs);
          try {
            return await work();
          } finally {
            await stopPings();
          }
        });
      } finally {
        endTurn();
      }
    },
    holdSubscription: async (id, work) => {
      const endTurn = await takeSubscription(id);
      try {
        return await work();
      } finally {
        endTurn();
      }
    },
  };
}

/**
 * Uses the connection now and then, so that a live process keeps its lock however long Stripe takes. By the
 * machine's time, since PostgreSQL counts the idle time by its own clock.
 */
function keepAwake(tx: Db, idleMs: number): () => Promise<void> {
  let ping: Promise<unknown> = Promise.resolve();
  // A lost connection shows when the transaction ends.
  const timer = setInterval(() => {
    ping = ping.then(() => sql`select`.execute(tx)).catch(() => undefined);
  }, idleMs / 4);
  return async () => {
    clearInterval(timer);
    await ping;
  };
}

async function lockPayments(tx: Db, realmId: string, idleMs: number): Promise<void> {
  // A stalled process keeps the lock no longer than this; a killed one loses it at once.
  await sql`select set_config('lock_timeout', ${`${LOCK_WAIT_MS}ms`}, true),
    set_config('idle_in_transaction_session_timeout', ${`${idleMs}ms`}, true)`.execute(tx);
  try {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`payments ${realmId}`}, 0))`.execute(tx);
  } catch (error) {
    throw (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE ? paymentBusy() : error;
  }
}
