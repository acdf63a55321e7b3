import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import { listen } from "#platform/db/listen.ts";
import type { Log } from "#platform/log.ts";
import type { BoundRun } from "#platform/runs/define-run.ts";
import { holdLease } from "#platform/runs/hold-lease.ts";
import { createSlots } from "#platform/runs/slots.ts";
import { RUNS_CHANNEL } from "#platform/runs/store.ts";
import { countWaitingLanes, takeRun } from "#platform/runs/store-dispatch.ts";
import type { RunTimes } from "#platform/runs/times.ts";

type Options = {
  db: Db;
  /** Of the same database, for notifications. */
  connectionString: string;
  clock: Clock;
  log: Log;
  runs: readonly BoundRun[];
  /** Names this process, a new one at each start. */
  holder: string;
  times: RunTimes;
  /** Called once for each process that died, in all of the product. */
  onDead?: (holders: readonly string[]) => Promise<void>;
};

/**
 * Works on runs of the given kinds, as many at a time as there are slots, lane after lane.
 * @returns a function that lets runs finish their step, gives them back, and stops
 */
export async function dispatchRuns(options: Options): Promise<() => Promise<void>> {
  const { db, clock, log, holder, times, onDead } = options;
  const slots = createSlots(options);
  let stopping = false;

  const seeker = () => ({ holder, kinds: slots.kinds, now: clock.now() });
  const fill = async () => {
    while (!stopping && slots.count() < times.slots) {
      const run = await takeRun(db, seeker());
      if (!run) return;
      slots.start(run, () => void look());
    }
    if (!stopping) slots.giveWay(await countWaitingLanes(db, seeker(), times.slots), times.sliceMs);
  };
  const look = oneAtATime(async () => {
    try {
      await fill();
    } catch (error) {
      log.warn({ err: error }, "Runs could not be looked for");
    }
  });

  const endLease = await holdLease({
    db,
    log,
    holder,
    leaseMs: times.leaseMs,
    onRenewed: slots.stopLost,
    onDead: async (holders) => onDead?.(holders),
  });
  const channel = { channel: RUNS_CHANNEL, log, clock };
  const unlisten = await listen(options.connectionString, channel, () => void look());
  const timer = setInterval(() => void look(), times.pollMs);
  void look();
  return async () => {
    stopping = true;
    clearInterval(timer);
    await unlisten();
    await look();
    await slots.stopAll();
    await endLease();
  };
}

/** Calls that come while one is under way become one more call after it. @returns the promise of the last */
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
