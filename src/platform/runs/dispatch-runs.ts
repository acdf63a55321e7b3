import { every, type Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import { listen } from "#platform/db/listen.ts";
import { chooseLevel } from "#platform/db/failure.ts";
import type { Log } from "#platform/log.ts";
import type { BoundRun } from "#platform/runs/define-run.ts";
import { createSlots } from "#platform/runs/slots.ts";
import { ensureRun, RUNS_CHANNEL } from "#platform/runs/store.ts";
import {
  countWaitingLanes,
  endLease,
  type FoundRun,
  renewHeld,
  requeueAbandoned,
  requeueUnanswered,
  takeRun,
} from "#platform/runs/store-dispatch.ts";
import { RENEWALS_A_LEASE, type RunTimes } from "#platform/runs/times.ts";

/** Kinds of runs with slots of their own, so that they wait for no other kinds. */
export type RunPool = {
  runs: readonly BoundRun[];
  /** Concurrent runs. They mostly wait for vendors, so there may be many more than cores. */
  slots: number;
};

type Options = {
  db: Db;
  /** URL of the same database, for notifications. */
  connectionString: string;
  clock: Clock;
  log: Log;
  pools: readonly RunPool[];
  /** Name of this process, new at each start. */
  holder: string;
  times: RunTimes;
  /** Called once per dead worker, cluster-wide. */
  onDead?: (holders: readonly string[]) => Promise<void>;
  /** Called with the state that a start of a run left. */
  onEnding?: (kind: string, state: string) => void;
  /** Called with each failure of a handler. */
  onFailure?: (error: unknown, kind: string) => void;
};

/**
 * Works on the runs of all pools, in each as many at once as it has slots, rotating between lanes. A process has one
 * dispatcher: an idle one costs a poll and a lease, however many pools it has.
 * @returns a function that lets runs finish their step, releases them, and stops
 */
export async function dispatchRuns(options: Options): Promise<() => Promise<void>> {
  const { db, clock, log, holder, times, onDead } = options;
  const pools = options.pools.map(({ runs, slots: size }) => ({
    ...createSlots({ ...options, runs }),
    size,
  }));
  const kinds = pools.flatMap((pool) => pool.kinds);
  if (new Set(kinds).size !== kinds.length) throw new Error("Two handlers share one kind of run.");
  let stopping = false;
  let hasUnanswered = false;

  const knownRuns = () => new Set(pools.flatMap((pool) => [...pool.runIds()]));
  /** Only between takes: of one in progress the answer may still come. */
  const requeue = async () => {
    const queued = await requeueUnanswered(db, holder, knownRuns());
    hasUnanswered = false;
    if (queued > 0) log.warn({ runs: queued }, "Queued runs whose taking was not answered");
  };
  /** The runs that the last search found and that were not taken yet: one search serves many takes. */
  let line: readonly FoundRun[] = [];
  let forgotten = 0;
  const forgetLine = () => {
    line = [];
    forgotten += 1;
  };
  const take = async (wanted: readonly string[]) => {
    const before = forgotten;
    const found = line.filter(({ kind }) => wanted.includes(kind));
    const next = found.length > 0 ? await takeRun(db, worker(wanted), found) : null;
    const run = next ?? (await takeRun(db, worker(wanted)));
    // Runs that were woken during the search may be older than those that it found.
    line = before === forgotten ? (run?.line ?? []) : [];
    return run;
  };
  const fill = async () => {
    if (hasUnanswered) await requeue();
    for (;;) {
      const free = pools.filter((pool) => pool.count() < pool.size);
      const wanted = free.flatMap((pool) => pool.kinds);
      const run = !stopping && wanted.length > 0 ? await take(wanted) : null;
      if (!run) break;
      free.find((pool) => pool.kinds.includes(run.kind))?.start(run, () => void look());
    }
    if (stopping) return;
    for (const pool of pools) {
      // No lane waits for a slot of a pool that has free ones.
      const isFull = pool.count() >= pool.size;
      await pool.giveWay(
        async () => (isFull ? countWaitingLanes(db, worker(pool.kinds), pool.size) : 0),
        times.sliceMs,
      );
    }
  };
  const worker = (wanted: readonly string[]) => ({ holder, kinds: wanted, now: clock.now() });
  const look = oneAtATime(async () => {
    try {
      await fill();
    } catch (error) {
      log[chooseLevel(error)]({ err: error }, "Runs could not be looked for");
    }
  });

  const endOwnLease = await keepLease({ db, clock, log, holder, leaseMs: times.leaseMs }, async () => {
    const startedAtMs = clock.steadyMs();
    const { held, canceled } = await renewHeld({ db, clock }, holder, times.leaseMs);
    for (const pool of pools) {
      pool.stopLost(held, startedAtMs);
      pool.stopCanceled(canceled);
    }
    const known = knownRuns();
    hasUnanswered ||= [...held].some((id) => !known.has(id));
    if (hasUnanswered) void look();
    const { dead, queued } = await requeueAbandoned({ db, clock });
    if (queued > 0) log.warn({ runs: queued }, "Queued the runs of a process that died");
    if (dead.length > 0) await onDead?.(dead);
  });
  for (const run of options.pools.flatMap(({ runs }) => runs))
    if (run.every) await ensureRun(db, run, clock.now());
  const channel = { channel: RUNS_CHANNEL, log, clock };
  // A notification names the kind of a new run; one without a name says that runs were woken.
  const onNotify = (kind: string) => {
    if (kind === "") forgetLine();
    if (kind === "" || kinds.includes(kind)) void look();
  };
  const unlisten = await listen(options.connectionString, channel, onNotify);
  const stopPolling = every(clock, times.pollMs, () => {
    for (const pool of pools) pool.stopOverdue();
    // Other processes took runs or woke some since the search.
    forgetLine();
    void look();
  });
  void look();
  return async () => {
    stopping = true;
    stopPolling();
    await look();
    await Promise.all([...pools.map((pool) => pool.stopAll()), unlisten()]);
    await endOwnLease();
  };
}

type Lease = { db: Db; clock: Clock; log: Log; holder: string; leaseMs: number };

/** Renews the lease of this process. @returns a function that ends it and frees its runs at once */
async function keepLease(
  { db, clock, log, holder, leaseMs }: Lease,
  renew: () => Promise<void>,
): Promise<() => Promise<void>> {
  let stopped = false;
  let last: Promise<void> = Promise.resolve();
  const beat = async () => {
    if (stopped) return;
    try {
      await renew();
    } catch (error) {
      log[chooseLevel(error)]({ err: error }, "The lease of this process could not be renewed");
    }
  };
  await beat();
  // Serialized: a renewal still in progress would restore an ended lease.
  const stopBeating = every(clock, leaseMs / RENEWALS_A_LEASE, () => {
    last = last.then(beat);
  });
  return async () => {
    stopped = true;
    stopBeating();
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
