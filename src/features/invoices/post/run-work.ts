import type { Db } from "#platform/db/connect.ts";
import { LeaseLost } from "#platform/runs/fence.ts";
import { holdIfOpen } from "#platform/runs/store.ts";
import { retryAfterMs } from "#platform/runs/times.ts";
import type { EndInTransaction, HeldRun } from "#platform/runs/types.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { Held } from "#features/invoices/ledger/store-entries.ts";
import { endingOf, outcomeOfFailure, type WorkOutcome } from "#features/invoices/post/rules-outcome.ts";
import { refreshSummary, withSummary } from "#features/invoices/results/refresh-summary.ts";

/** One start of work on an upload, be it posted or undone. */
type Start = {
  run: HeldRun;
  work(held: Held): Promise<WorkOutcome>;
  /** Writes what the end means for what is open of the ledger. */
  save(tx: Db, end: WorkOutcome): Promise<void>;
};

/**
 * Works on an upload and leaves it in the state its end means, for users and for the next start. What waits for
 * QuickBooks comes back by itself, however long that lasts; what waits for a user is woken by the reconnection.
 * @throws LeaseLost when another process has taken the run
 */
export async function runWork(ctx: InvoicesCtx, { run, work, save }: Start): Promise<EndInTransaction> {
  const held = heldBy(run);
  const authorisation = await ctx.findAuthorisation(held.realmId);
  const found = await workOrFail(ctx, { run, work });
  return async (tx, saveEnding) => {
    await withSummary(tx, held, async () => {
      const end = await endNow(ctx, tx, { held, end: found, authorisation });
      await save(tx, end);
      const now = ctx.clock.now();
      const retryAt = new Date(now.getTime() + retryAfterMs(run.failures + 1));
      await saveEnding(endingOf(end, { now, retryAt }));
    });
  };
}

/** The upload that a run works on. */
export const heldBy = ({ realmId, subject, id, fence }: HeldRun): Held => ({
  realmId,
  id: subject,
  runId: id,
  fence,
});

async function workOrFail(ctx: InvoicesCtx, { run, work }: Omit<Start, "save">): Promise<WorkOutcome> {
  const held = heldBy(run);
  try {
    await refreshSummary(ctx, held.realmId, held.id);
    return await work(held);
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const end = outcomeOfFailure(error, run);
    const about = { err: error, upload: held.id, end: end.kind };
    if (end.kind === "failed") ctx.log.error(about, "Work on an upload failed too often");
    else ctx.log.warn(about, "Work on an upload ended early or waits");
    return end;
  }
}

type Found = { held: Held; end: WorkOutcome; authorisation: string | null };

/** What it would wait for may have happened meanwhile: then it goes on instead. */
async function endNow(ctx: InvoicesCtx, tx: Db, { held, end, authorisation }: Found): Promise<WorkOutcome> {
  const { realmId } = held;
  if (end.kind === "reconnect" && !(await ctx.onReconnectNeeded(tx, { realmId, authorisation })))
    return { kind: "interrupted" };
  if (end.kind !== "wait" || end.cause.code !== "behind_undo") return end;
  const isOpen = await holdIfOpen(tx, { realmId, id: String(end.cause.params?.["undo_id"]) });
  return isOpen ? end : { kind: "interrupted" };
}
