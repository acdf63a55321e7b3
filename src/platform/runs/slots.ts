import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import { isAway, chooseLevel } from "#platform/db/failure.ts";
import type { Log } from "#platform/log.ts";
import type { BoundRun } from "#platform/runs/define-run.ts";
import { LeaseLost, withFence } from "#platform/runs/fence.ts";
import { addFailure, saveEnding, SCHEDULED } from "#platform/runs/store.ts";
import { nextTime, retryAfterMs, RUN_LIMIT_MS } from "#platform/runs/times.ts";
import { inTrace, type Trace } from "#platform/trace.ts";
import type { EndInTransaction, Ending, HeldRun } from "#platform/runs/types.ts";

type Ctx = {
  db: Db;
  clock: Clock;
  log: Log;
  /** Called with the state that a start of a run left. */
  onEnding?: (kind: string, state: Ending["state"]) => void;
  /** Called with each failure of a handler. */
  onFailure?: (error: unknown, kind: string) => void;
};

/** A run this process works on. */
type Slot = {
  run: HeldRun;
  handler: BoundRun;
  stop: AbortController;
  startedAtMs: number;
  /** When the run last saved progress. */
  savedAtMs: number;
  /** Rejected if the run saved nothing within its limit: the slot no longer waits for the handler. */
  overdue: PromiseWithResolvers<never>;
  /** Whether another lane waits for the slot and this run has used its time slice. */
  givesWay: boolean;
};

/** The run saved nothing within its limit. */
class RunOverdue extends Error {
  override name = "RunOverdue";
}

/** Creates the slots for the runs a process works on at once. */
export function createSlots({ runs, ...ctx }: Ctx & { runs: readonly BoundRun[] }) {
  const handlers = new Map(runs.map((run) => [run.kind, run]));
  const slots = new Map<Slot, Promise<void>>();
  return {
    kinds: runs.map(({ kind }) => kind),
    count: () => slots.size,
    runIds: (): ReadonlySet<string> => new Set([...slots.keys()].map(({ run }) => run.id)),

    /** @param onFree called when the run has ended and its slot is free */
    start: (taken: HeldRun, onFree: () => void): void => {
      const handler = handlers.get(taken.kind);
      if (!handler) throw new Error(`There is no handler for runs of kind ${taken.kind}.`);
      const slot = openSlot(ctx.clock, taken, handler);
      const done = doRun(ctx, slot).then(() => {
        slots.delete(slot);
        onFree();
      });
      slots.set(slot, done);
    },

    /** Makes runs that used their time slice yield their slots to waiting lanes, the longest-running first. */
    giveWay: async (countWaitingLanes: () => Promise<number>, sliceMs: number): Promise<void> => {
      const now = ctx.clock.steadyMs();
      const byAge = [...slots.keys()]
        .filter(({ startedAtMs }) => now - startedAtMs >= sliceMs)
        .toSorted((a, b) => a.startedAtMs - b.startedAtMs);
      if (byAge.length === 0) return;
      const waitingLanes = await countWaitingLanes();
      for (const [place, slot] of byAge.entries()) slot.givesWay = place < waitingLanes;
    },

    /**
     * Stops runs that this process no longer holds. @param sinceMs ignores younger ones, which were not
     * checked yet
     */
    stopLost: (held: ReadonlySet<string>, sinceMs: number): void => {
      for (const { run, startedAtMs, stop } of slots.keys())
        if (startedAtMs < sinceMs && !held.has(run.id)) stop.abort();
    },

    /** Stops runs that were canceled after their start; they start again, and end. */
    stopCanceled: (canceled: ReadonlySet<string>): void => {
      for (const { run, stop } of slots.keys()) if (canceled.has(run.id) && !run.canceledBy) stop.abort();
    },

    /** Aborts runs that saved nothing within their limit, whether or not their handlers listen. */
    stopOverdue: (): void => {
      for (const slot of slots.keys()) {
        const { kind, limitMs = RUN_LIMIT_MS } = slot.handler;
        if (ctx.clock.steadyMs() - slot.savedAtMs < limitMs) continue;
        const error = new RunOverdue(`A run of kind ${kind} saved nothing for ${limitMs} ms.`);
        slot.overdue.reject(error);
        slot.stop.abort(error);
      }
    },

    /** Stops all. @returns once they have ended */
    stopAll: async (): Promise<void> => {
      for (const { stop } of slots.keys()) stop.abort();
      await Promise.all(slots.values());
    },
  };
}

export function openSlot(clock: Clock, run: HeldRun, handler: BoundRun): Slot {
  const startedAtMs = clock.steadyMs();
  const slot: Slot = {
    run: { ...run, noteProgress: () => (slot.savedAtMs = clock.steadyMs()) },
    handler,
    stop: new AbortController(),
    startedAtMs,
    savedAtMs: startedAtMs,
    overdue: Promise.withResolvers<never>(),
    givesWay: false,
  };
  return slot;
}

/** Retry interval until the database accepts an ending again. */
const SAVE_RETRY_MS = 1_000;

/**
 * Lets the handler work on a run and writes its ending. Never fails: a failed write is retried until the
 * lease is lost.
 */
export async function doRun(ctx: Ctx, slot: Slot): Promise<void> {
  const { run, handler, stop } = slot;
  // Asynchronous, because some handlers throw synchronously.
  const working = inTrace(traceRun(run), async () =>
    handler.handle({ run, stop: stop.signal, sliceEnds: () => slot.givesWay }),
  );
  try {
    await end(ctx, slot, await Promise.race([working, slot.overdue.promise]));
  } catch (error) {
    if (error instanceof LeaseLost) return ctx.log.warn({ run: run.id, kind: run.kind }, error.message);
    if (error instanceof RunOverdue) logLateEnd(ctx, slot, working);
    await endFailed(ctx, slot, error);
  }
}

/** A run continues the trace of the request that added it; one of the system is traced by its own id. */
const traceRun = ({ id, traceId, requestId }: HeldRun): Trace => ({
  traceId: traceId ?? id.replaceAll("-", ""),
  run: id,
  ...(requestId ? { reqId: requestId } : {}),
});

/**
 * Logs where the handler of an aborted run stops, which shows where it hung; until then the fence refuses its
 * writes.
 */
function logLateEnd(ctx: Ctx, { run }: Slot, working: Promise<unknown>): void {
  const { log } = ctx;
  const about = { run: run.id, kind: run.kind };
  working.then(
    () => log.warn(about, "The handler of an aborted run returned late"),
    (error: unknown) => {
      log.warn({ err: error, ...about }, "The handler of an aborted run failed late");
      // A lost lease only says that it was aborted.
      if (!(error instanceof LeaseLost)) return noteFailure(ctx, run, { error, cause: "failed_late" });
      return undefined;
    },
  );
}

/** Records a failure for operators. A database that fails too must not keep the run from its end. */
async function noteFailure(
  { db, clock, log }: Ctx,
  run: HeldRun,
  { error, cause }: { error: unknown; cause: string },
): Promise<void> {
  try {
    await addFailure(db, run, { failures: run.failures + 1, cause, error, now: clock.now() });
  } catch (failure) {
    log[chooseLevel(failure)]({ err: failure, run: run.id }, "The failure of a run could not be recorded");
  }
}

async function end(ctx: Ctx, { run, handler }: Slot, ending: Ending | EndInTransaction) {
  const { db, clock, onEnding } = ctx;
  let state: Ending["state"] | undefined;
  let error: unknown;
  await withFence(db, run, async (tx) => {
    const now = clock.now();
    const save = (decided: Ending) => {
      state = decided.state;
      error = decided.state === "waiting" ? decided.error : undefined;
      const returns = handler.every && decided.state === "done";
      const scheduled: Ending = { state: "waiting", cause: SCHEDULED, dueAt: nextTime(handler, now) };
      return saveEnding(tx, run, { ending: returns ? scheduled : decided, now });
    };
    await (typeof ending === "function" ? ending(tx, save) : save(ending));
  });
  if (state) onEnding?.(run.kind, state);
  if (error !== undefined) await noteFailure(ctx, run, { error, cause: "failed" });
}

/**
 * Releases a failed run, though its handler gave up. It isn't stopped: only the feature's own ending settles its work.
 */
async function endFailed(ctx: Ctx, slot: Slot, error: unknown): Promise<void> {
  const { run, stop } = slot;
  const isOverdue = error instanceof RunOverdue;
  const isAborted = stop.signal.aborted && !isOverdue;
  // A database outage isn't the run's failure: the run is queued again as soon as its end can be saved.
  const countsAsFailure = !isAborted && !isAway(error);
  const ending: Ending = countsAsFailure ? failedEnding(ctx, slot, isOverdue) : { state: "queued" };
  if (countsAsFailure) {
    inTrace(traceRun(run), () => ctx.onFailure?.(error, run.kind));
    ctx.log.error(
      { err: error, run: run.id, kind: run.kind, realm: run.realmId, failures: run.failures + 1 },
      isOverdue ? "A run was aborted" : "A run failed",
    );
    await noteFailure(ctx, run, { error, cause: isOverdue ? "overdue" : "failed" });
  }
  for (;;) {
    try {
      return await end(ctx, slot, ending);
    } catch (failure) {
      if (failure instanceof LeaseLost) return;
      ctx.log[chooseLevel(failure)]({ err: failure, run: run.id }, "The end of a run could not be written");
      if (isAborted) return;
      await ctx.clock.sleep(SAVE_RETRY_MS);
    }
  }
}

/** A failed run is retried later; a periodic one at its next time at the latest. */
function failedEnding({ clock }: Ctx, { run, handler }: Slot, isOverdue: boolean): Ending {
  const now = clock.now();
  const retryAtMs = now.getTime() + retryAfterMs(run.failures + 1);
  const nextMs = handler.every ? nextTime(handler, now).getTime() : Infinity;
  const cause = { code: "failed_once", ...(isOverdue && { params: { failure: "overdue" } }) };
  return { state: "waiting", cause, dueAt: new Date(Math.min(retryAtMs, nextMs)), failed: true };
}
