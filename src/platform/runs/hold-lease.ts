import type { Db } from "#platform/db/connect.ts";
import type { Log } from "#platform/log.ts";
import {
  endLease,
  findHeldIds,
  forgetDeadHolders,
  renewLease,
  requeueAbandoned,
} from "#platform/runs/store-dispatch.ts";
import { RENEWALS_A_LEASE } from "#platform/runs/times.ts";

type Options = {
  db: Db;
  log: Log;
  holder: string;
  leaseMs: number;
  /** Called after each renewal with the ids of the runs that this process held after `startedAtMs` (performance.now). */
  onRenewed(held: ReadonlySet<string>, startedAtMs: number): void;
  /** Called once for each process that died, in all of the product. */
  onDead(holders: readonly string[]): Promise<void>;
};

/**
 * Keeps this process alive in the eyes of the others and queues the runs of those that died.
 * @returns a function that gives the lease back
 */
export async function holdLease(options: Options): Promise<() => Promise<void>> {
  const { log, leaseMs } = options;
  let stopped = false;
  let last: Promise<void> = Promise.resolve();
  const beat = async () => {
    if (stopped) return;
    try {
      await renew(options);
    } catch (error) {
      log.warn({ err: error }, "The lease of this process could not be renewed");
    }
  };
  await beat();
  // One after the other: a renewal that is still under way would bring a lease back that was given back.
  const timer = setInterval(() => {
    last = last.then(beat);
  }, leaseMs / RENEWALS_A_LEASE);
  return async () => {
    stopped = true;
    clearInterval(timer);
    await last;
    await endLease(options.db, options.holder);
  };
}

async function renew({ db, log, holder, leaseMs, onRenewed, onDead }: Options): Promise<void> {
  const startedAtMs = performance.now();
  await renewLease(db, holder, leaseMs);
  onRenewed(await findHeldIds(db, holder), startedAtMs);
  const dead = await forgetDeadHolders(db);
  if (dead.length > 0) await onDead(dead);
  const runs = await requeueAbandoned(db);
  if (runs > 0) log.warn({ runs }, "Queued the runs of a process that died");
}
