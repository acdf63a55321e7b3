import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "#platform/clock.ts";
import type { Db } from "#platform/db/connect.ts";
import type { Log } from "#platform/log.ts";
import type { BoundRun } from "#platform/runs/define-run.ts";
import type { EndInTransaction, Ending, HeldRun } from "#platform/runs/types.ts";
import { LeaseLost, withFence } from "#platform/runs/fence.ts";
import { saveEnding } from "#platform/runs/store.ts";
import { retryAfterMs } from "#platform/runs/times.ts";

/** A run this process works on. */
export type Slot = {
  run: HeldRun;
  stop: AbortController;
  startedAtMs: number;
  /** True when another lane waits for the slot and this run has had its time. */
  givesWay: boolean;
};

type Ctx = { db: Db; clock: Clock; log: Log };

/** Until the database takes an ending again. */
const SAVE_AGAIN_MS = 1_000;

/** Lets a handler work on a run and writes how it ended. Never fails: what cannot be written is tried until the lease is lost. */
export async function doRun(ctx: Ctx, slot: Slot, handler: BoundRun): Promise<void> {
  const { run } = slot;
  try {
    const ending = await handler.handle({
      run,
      stop: slot.stop.signal,
      sliceEnds: () => slot.givesWay,
    });
    await end(ctx, run, ending);
  } catch (error) {
    if (error instanceof LeaseLost) return ctx.log.warn({ run: run.id, kind: run.kind }, error.message);
    await endFailed(ctx, slot, error);
  }
}

async function end({ db, clock }: Ctx, run: HeldRun, ending: Ending | EndInTransaction): Promise<void> {
  await withFence(db, run, async (tx) => {
    const save = (decided: Ending) => saveEnding(tx, run, { ending: decided, now: clock.now() });
    await (typeof ending === "function" ? ending(tx, save) : save(ending));
  });
}

/**
 * A run must never stay with a living process that has given it up. It is not stopped either: only the feature's own ending
 * closes what the run was to do.
 */
async function endFailed(ctx: Ctx, { run, stop }: Slot, error: unknown): Promise<void> {
  const ending: Ending = stop.signal.aborted ? { state: "queued" } : failureOf(ctx, run);
  if (!stop.signal.aborted)
    ctx.log.error({ err: error, run: run.id, kind: run.kind, failures: run.failures + 1 }, "A run failed");
  for (;;) {
    try {
      return await end(ctx, run, ending);
    } catch (failure) {
      if (failure instanceof LeaseLost) return;
      ctx.log.warn({ err: failure, run: run.id }, "The end of a run could not be written");
      if (stop.signal.aborted) return;
      await wait(SAVE_AGAIN_MS);
    }
  }
}

function failureOf({ clock }: Ctx, { failures }: HeldRun): Ending {
  const failed = failures + 1;
  const dueAt = new Date(clock.now().getTime() + retryAfterMs(failed));
  return { state: "waiting", cause: { code: "failed_once" }, dueAt, failed: true };
}
