import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import { listen } from "#platform/db/listen.ts";
import type { Log } from "#platform/log.ts";
import type { BoundRun } from "#platform/runs/define-run.ts";
import { createSlots } from "#platform/runs/slots.ts";
import { ensureRun, RUNS_CHANNEL } from "#platform/runs/store.ts";
import {
  countWaitingLanes,
  endLease,
  forgetDeadHolders,
  renewHeld,
  requeueAbandoned,
  requeueUnanswered,
  takeRun,
} from "#platform/runs/store-dispatch.ts";
import { RENEWALS_A_LEASE, type RunTimes } from "#platform/runs/times.ts";

type Options = {
  db: Db;
  /** URL of the same database, for notifications. */
  connectionString: string;
  clock: Clock;
  log: Log;
  runs: readonly BoundRun[];
  /** Name of this process, new at each start. */
  holder: string;
  times: RunTimes;
  /** Whether runs of dead processes are looked for, of every kind; by default they are. One dispatcher of a process is enough. */
  findsDead?: boolean;
  /** Called once per dead worker, cluster-wide. */
  onDead?: (holders: readonly string[]) => Promise<void>;
  /** Called with the state that a start of a run left. */
  onEnding?: (kind: string, state: string) => void;
  /** Called with each failure of a handler. */
  onFailure?: (error: unknown, kind: string) => void;
};

/**
 * Works on runs of the given kinds, as many at once as there are slots, rotating between lanes.
 * @returns a function that lets runs finish their step, releases them, and stops
 */
export async function dispatchRuns(options: Options): Promise<() => Promise<void>> {
  const { db, clock, log, holder, times, runs, findsDead = true, onDead } = options;
  const slots = createSlots(options);
  let stopping = false;
  let hasUnanswered = false;

  const worker = () => ({ holder, kinds: slots.kinds, now: clock.now() });
  /** Only between takes: of one in progress the answer may still come. */
  const requeue = async () => {
    const queued = await requeueUnanswered(db, holder, slots.runIds());
    hasUnanswered = false;
    if (queued > 0) log.warn({ runs: queued }, "Queued runs whose taking was not answered");
  };
  const fill = async () => {
    if (hasUnanswered) await requeue();
    while (!stopping && slots.count() < times.slots) {
      const run = await takeRun(db, worker());
      // Then no lane waits for a slot either.
      if (!run) return slots.giveWay(0, times.sliceMs);
      slots.start(run, () => void look());
    }
    if (!stopping) slots.giveWay(await countWaitingLanes(db, worker(), times.slots), times.sliceMs);
  };
  const look = oneAtATime(async () => {
    try {
      await fill();
    } catch (error) {
      log.warn({ err: error }, "Runs could not be looked for");
    }
  });

  const endOwnLease = await keepLease({ db, log, holder, leaseMs: times.leaseMs }, async () => {
    const startedAtMs = performance.now();
    const { held, canceled } = await renewHeld(db, holder, times.leaseMs);
    slots.stopLost(held, startedAtMs);
    slots.stopCanceled(canceled);
    const known = slots.runIds();
    hasUnanswered ||= [...held].some((id) => !known.has(id));
    if (hasUnanswered) void look();
    if (!findsDead) return;
    const dead = await forgetDeadHolders(db);
    if (dead.length > 0) await onDead?.(dead);
    const abandoned = await requeueAbandoned(db);
    if (abandoned > 0) log.warn({ runs: abandoned }, "Queued the runs of a process that died");
  });
  for (const run of runs) if (run.every) await ensureRun(db, run, clock.now());
  const channel = { channel: RUNS_CHANNEL, log, clock };
  // A notification names the kind; one without a name is for every dispatcher.
  const onNotify = (kind: string) => (kind === "" || slots.kinds.includes(kind)) && void look();
  const unlisten = await listen(options.connectionString, channel, onNotify);
  const timer = setInterval(() => {
    slots.stopOverdue();
    void look();
  }, times.pollMs);
  void look();
  return async () => {
    stopping = true;
    clearInterval(timer);
    await unlisten();
    await look();
    await slots.stopAll();
    await endOwnLease();
  };
}

type Lease = { db: Db; log: Log; holder: string; leaseMs: number };

/** Renews the lease of this process. @returns a function that ends it and frees its runs at once */
async function keepLease(
  { db, log, holder, leaseMs }: Lease,
  renew: () => Promise<void>,
): Promise<() => Promise<void>> {
  let stopped = false;
  let last: Promise<void> = Promise.resolve();
  const beat = async () => {
    if (stopped) return;
    try {
      await renew();
    } catch (error) {
      log.warn({ err: error }, "The lease of this process could not be renewed");
    }
  };
  await beat();
  // Serialized: a renewal still in progress would restore an ended lease.
  const timer = setInterval(() => {
    last = last.then(beat);
  }, leaseMs / RENEWALS_A_LEASE);
  return async () => {
    stopped = true;
    clearInterval(timer);
    await last;
    await endLease(db, holder);
  };
}

/** Merges calls during a running one into a single later call. @returns the promise of the last */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null;
  let again = false;
  const loop = async () => {
    do {
      again = false;
      await work();
    } while (again);
    current = null;
  };
  return () => {
    again = true;
    return (current ??= loop());
  };
}
