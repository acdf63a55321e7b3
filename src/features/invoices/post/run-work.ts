import type { Db } from "#platform/db/connect.ts";
import { LeaseLost } from "#platform/runs/fence.ts";
import { holdIfOpen } from "#platform/runs/store.ts";
import type { EndInTransaction, Ending, HeldRun } from "#platform/runs/types.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { Held } from "#features/invoices/ledger/store-entries.ts";
import { endingOfFailure, FAILED } from "#features/invoices/post/rules-endings.ts";
import { refreshSummary, withSummary } from "#features/invoices/results/refresh-summary.ts";

/** One start of work on an upload, be it posted or undone. */
type Start = {
  run: HeldRun;
  work(held: Held): Promise<Ending>;
  /** Writes what the end means for what is open of the ledger. */
  save(tx: Db, ending: Ending): Promise<void>;
};

/**
 * Works on an upload and leaves it in the state its end means, for users and for the next start. What waits for
 * QuickBooks comes back by itself, however long that lasts; what waits for a user is woken by the reconnection.
 * @throws LeaseLost when another process has taken the run
 */
export async function runWork(ctx: InvoicesCtx, { run, work, save }: Start): Promise<EndInTransaction> {
  const held = heldBy(run);
  const grant = await ctx.findGrant(held.realmId);
  const found = await workOrFail(ctx, held, work);
  return async (tx, saveEnding) => {
    await withSummary(tx, held, async () => {
      const goesOn = await hasHappened(ctx, tx, { realmId: held.realmId, ending: found, grant });
      const ending: Ending = goesOn ? { state: "queued" } : found;
      await save(tx, ending);
      await saveEnding(ending);
    });
  };
}

/** The upload that a run works on. */
export const heldBy = (run: HeldRun): Held => ({ realmId: run.realmId, id: run.subject, run });

async function workOrFail(ctx: InvoicesCtx, held: Held, work: Start["work"]): Promise<Ending> {
  try {
    await refreshSummary(ctx, held.realmId, held.id);
    return await work(held);
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const ending = endingOfFailure(error, held.run, ctx.clock.now());
    const about = { err: error, upload: held.id, state: ending.state };
    if (ending === FAILED) ctx.log.error(about, "Work on an upload failed too often");
    else ctx.log.warn(about, "Work on an upload ended early or waits");
    return ending;
  }
}

type Found = { realmId: string; ending: Ending; grant: string | null };

/** Whether what it would wait for has happened meanwhile: then it goes on instead. */
async function hasHappened(ctx: InvoicesCtx, tx: Db, { realmId, ending, grant }: Found): Promise<boolean> {
  if (ending.state !== "waiting") return false;
  const { code, params } = ending.cause;
  if (code === "reconnect") return !(await ctx.onReconnectNeeded(tx, { realmId, grant }));
  return code === "behind_undo" && !(await holdIfOpen(tx, { realmId, id: String(params?.["undo_id"]) }));
}
