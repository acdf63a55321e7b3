import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Log } from "#platform/log.ts";
import type { BoundRun } from "#platform/runs/define-run.ts";
import type { HeldRun } from "#platform/runs/types.ts";
import { doRun, type Slot } from "#platform/runs/do-run.ts";

type Options = { db: Db; clock: Clock; log: Log; runs: readonly BoundRun[] };

/** The runs a process works on at a time. */
export function createSlots({ runs, ...ctx }: Options) {
  const handlers = new Map(runs.map((run) => [run.kind, run]));
  if (handlers.size !== runs.length) throw new Error("Two handlers share one kind of run.");
  const slots = new Map<Slot, Promise<void>>();
  return {
    kinds: [...handlers.keys()],
    count: () => slots.size,

    /** @param onFree called when the run has ended and its slot is free */
    start: (run: HeldRun, onFree: () => void): void => {
      const handler = handlers.get(run.kind);
      if (!handler) throw new Error(`There is no handler for runs of kind ${run.kind}.`);
      const slot: Slot = {
        run,
        stop: new AbortController(),
        startedAtMs: performance.now(),
        givesWay: false,
      };
      const done = doRun(ctx, slot, handler).then(() => {
        slots.delete(slot);
        onFree();
      });
      slots.set(slot, done);
    },

    /** Lets those that worked longest give their slots to lanes that wait for one. */
    giveWay: (waitingLanes: number, sliceMs: number): void => {
      const now = performance.now();
      const byAge = [...slots.keys()]
        .filter(({ startedAtMs }) => now - startedAtMs >= sliceMs)
        .toSorted((one, other) => one.startedAtMs - other.startedAtMs);
      for (const [place, slot] of byAge.entries()) slot.givesWay = place < waitingLanes;
    },

    /** Stops those that this process no longer holds. @param sinceMs younger ones were not asked for yet */
    stopLost: (held: ReadonlySet<string>, sinceMs: number): void => {
      for (const { run, startedAtMs, stop } of slots.keys())
        if (startedAtMs < sinceMs && !held.has(run.id)) stop.abort();
    },

    /** Stops all. @returns once they have ended */
    stopAll: async (): Promise<void> => {
      for (const { stop } of slots.keys()) stop.abort();
      await Promise.all(slots.values());
    },
  };
}
