import { markPlannedAsSent, settleOpenWrites } from "#platform/writes/store.ts";
import { saveLook } from "#platform/runs/store.ts";
import type { EndInTransaction, Ending, LookOwed, RunWork } from "#platform/runs/types.ts";
import { checkUpload } from "#features/invoices/check/check-upload.ts";
import { withFence } from "#platform/runs/fence.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { findUnresolvedInvoices } from "#features/invoices/post/find-unresolved.ts";
import { createsIn, driveUpload } from "#features/invoices/post/post-invoices.ts";
import { planUpload, type LedgerPlan } from "#features/invoices/plan/plan-upload.ts";
import { holdPlan, PlanOutdated, writePlan } from "#features/invoices/plan/write-plan.ts";
import { refreshSummary } from "#features/invoices/results/refresh-summary.ts";
import { FAILED, waitUntil } from "#features/invoices/post/rules-endings.ts";
import { heldBy, runWork } from "#features/invoices/post/run-work.ts";
import { findUpload, type Upload } from "#features/invoices/ledger/store.ts";
import type { Held } from "#features/invoices/ledger/store-entries.ts";
import { createsOf, planCreates } from "#features/invoices/ledger/store-writes.ts";
import { findUndoAhead } from "#features/invoices/ledger/store-undos.ts";

const REPLAN_AFTER_MS = 5_000;
/** Killed processes are no failures of a run, yet a workbook that kills every process that reads it must end. */
const MAX_DEAD_STARTS = 20;

/**
 * Works on one upload until nothing of it is open: checks it, writes its ledger, and posts it. May run again at any
 * moment; what was posted is never sent as something new.
 */
export async function postUpload(ctx: InvoicesCtx, work: RunWork): Promise<EndInTransaction> {
  const held = heldBy(work.run);
  const begun: Begun = { lookOwed: work.run.lookOwed };
  return runWork(ctx, {
    run: work.run,
    work: () => checkAndPost(ctx, held, { work, begun }),
    save: async (tx, ending) => {
      if (ending.state !== "stopped") return;
      const { code: because, params: { tid = null } = {} } = ending.cause;
      const params = { because, support_id: held.id };
      if (begun.lookOwed === "taken_over") await markPlannedAsSent(tx, createsOf(held), ctx.clock.now());
      await settleOpenWrites(tx, createsOf(held), {
        planned: { code: "not_sent", params, tid: tid === null ? null : String(tid) },
        sent: { code: "in_doubt_at_stop", params: {}, tid: null },
        now: ctx.clock.now(),
      });
    },
  });
}

/** Which search the run still begins with. */
type Begun = { lookOwed: LookOwed | null };

async function checkAndPost(
  ctx: InvoicesCtx,
  held: Held,
  { work, begun }: { work: RunWork; begun: Begun },
): Promise<Ending> {
  const upload = await findUpload(ctx.db, held.realmId, held.id);
  if (!upload) return { state: "done" };
  const tooOften = work.run.starts >= MAX_DEAD_STARTS;
  if (!upload.planned && tooOften) return FAILED;
  const isFirst = upload.phase === "check" || !upload.planned;
  const early = isFirst ? await checkOrPlan(ctx, held, upload) : null;
  if (early) return early;
  await refreshSummary(ctx, held.realmId, held.id);
  return driveUpload(ctx, work, {
    command: createsOf(held),
    operation: createsIn(ctx, held),
    // The ledger may be a copy or a restored one: then a previous holder has posted what is only planned here.
    look: begun.lookOwed && {
      since: work.run.requestedAt,
      onDone: async () => {
        await withFence(ctx.db, work.run, (tx) => saveLook(tx, work.run));
        begun.lookOwed = null;
      },
    },
  });
}

/** @returns an end when nothing may be posted now, else null: the ledger is complete */
async function checkOrPlan(ctx: InvoicesCtx, held: Held, upload: Upload): Promise<Ending | null> {
  const undo = await findUndoAhead(ctx.db, upload);
  if (undo) return behindUndo(undo);
  await findUnresolvedInvoices(ctx, held.realmId);
  const plan = await planUpload(ctx, held, upload);
  if (plan.behindUndo !== null) return behindUndo(plan.behindUndo);
  try {
    return (await keepPlan(ctx, held, { upload, plan })) === "checked" ? { state: "done" } : null;
  } catch (error) {
    if (!(error instanceof PlanOutdated)) throw error;
    if (error.undoId !== null) return behindUndo(error.undoId);
    return waitUntil("plan_changed", ctx.clock.now().getTime() + REPLAN_AFTER_MS);
  }
}

async function keepPlan(
  ctx: InvoicesCtx,
  held: Held,
  { upload, plan }: { upload: Upload; plan: LedgerPlan },
): Promise<"checked" | "post"> {
  if (upload.phase === "check") return checkUpload(ctx, held, { upload, plan });
  await withFence(ctx.db, held.run, async (tx) => {
    await holdPlan(tx, plan);
    await writePlan(tx, held, plan);
    await planCreates(tx, held, { takesNumbers: plan.takesNumbers, now: ctx.clock.now() });
  });
  return "post";
}

/** An upload waits while the same invoices are taken out of the books, until the end of that wakes it. */
const behindUndo = (undoId: string): Ending => ({
  state: "waiting",
  cause: { code: "behind_undo", params: { undo_id: undoId } },
  dueAt: null,
});
