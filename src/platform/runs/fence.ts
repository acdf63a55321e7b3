import type { Db } from "#platform/db/connect.ts";
import type { HeldRun } from "#platform/runs/types.ts";
import { lockHeld } from "#platform/runs/store.ts";

/** Another process has taken the run, or it was aborted here: this holder must not write any more. */
export class LeaseLost extends Error {
  override name = "LeaseLost";
}

/** Identifies a run and the fence under which it is held. */
export type Fence = Pick<HeldRun, "realmId" | "id" | "fence" | "noteProgress">;

/**
 * Runs a write of a run's work in one transaction; refused if another process has taken the run.
 * @throws LeaseLost
 */
export async function withFence<T>(db: Db, run: Fence, write: (tx: Db) => Promise<T>): Promise<T> {
  const written = await db.transaction().execute(async (tx) => {
    if (!(await lockHeld(tx, run))) throw new LeaseLost(`Run ${run.id} was taken by another process.`);
    return write(tx);
  });
  run.noteProgress?.();
  return written;
}
