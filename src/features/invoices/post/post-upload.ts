import { addEvent } from "#features/programs/index.ts";
import { savePlan } from "#features/invoices/check/save-plan.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { UploadRun } from "#features/invoices/ledger/store-entries.ts";
import { findPendingUndo } from "#features/invoices/ledger/store-undos.ts";
import { createCommand } from "#features/invoices/ledger/store-writes.ts";
import { findUpload, isConfirmed, type Upload } from "#features/invoices/ledger/store.ts";
import { PlanOutdated, planUpload } from "#features/invoices/plan/plan-upload.ts";
import { settleUnresolved } from "#features/invoices/post/settle-unresolved.ts";
import { FAILED, uploadForRun, waitUntil, workOnUpload } from "#features/invoices/post/work-on-upload.ts";
import { collectPosted, createOperation, writeInvoices } from "#features/invoices/post/write-invoices.ts";
import { canceled, postUploadRun } from "#features/invoices/runs.ts";
import { refreshSummary } from "#features/invoices/results/refresh-summary.ts";
import type { Db } from "#platform/db/connect.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import { withFence } from "#platform/runs/fence.ts";
import { markReconciled } from "#platform/runs/store.ts";
import type { Ending, EndInTransaction, RunWork } from "#platform/runs/types.ts";
import { markPlannedAsSent, settleOpenWrites } from "#platform/writes/store.ts";

const REPLAN_AFTER_MS = 5_000;
/** A workbook that kills every process that reads it must end eventually. Other deaths of a process do not count. */
const MAX_DEAD_READINGS = 20;

export const postRuns = (ctx: InvoicesCtx): BoundRun[] => [bindRun(postUploadRun, postUpload, ctx)];

/**
 * Works on one upload until nothing is open: reads it, plans its ledger, stops there if a user reviews it,
 * otherwise sends its invoices, settles them and summarizes. Safe to run again at any point; a posted invoice
 * is never sent as a new one.
 */
async function postUpload(ctx: InvoicesCtx, work: RunWork): Promise<EndInTransaction> {
  const uploadRun = uploadForRun(work.run);
  const end = await workOnUpload(ctx, uploadRun, {
    work: () => post(ctx, work, uploadRun),
    save: async (tx, ending) => {
      if (ending.state !== "stopped") return;
      const now = ctx.clock.now();
      const command = createCommand(uploadRun);
      const { code: because, params: { tid = null, by = null } = {} } = ending.cause;
      if (work.run.needsReconcile === "taken_over") await markPlannedAsSent(tx, command, now);
      await settleOpenWrites(tx, command, {
        planned: {
          code: "not_sent",
          params: { because, support_id: uploadRun.id, ...(by === null ? {} : { by: String(by) }) },
          tid: tid === null ? null : String(tid),
        },
        sent: { code: "in_doubt_at_stop", params: {}, tid: null },
        now,
      });
    },
  });
  return async (tx, saveEnding) => {
    await end(tx, saveEnding);
    await announceEnd(ctx, tx, uploadRun);
  };
}

/** Notifies the company's webhooks of an upload that has ended. A check has not: it may still be posted. */
async function announceEnd(ctx: InvoicesCtx, tx: Db, { realmId, id }: UploadRun): Promise<void> {
  const upload = await findUpload(tx, realmId, id);
  if (!upload || !isConfirmed(upload) || (upload.state !== "finished" && upload.state !== "stopped")) return;
  const { total, completed, problems } = upload.summary.counts;
  const data = {
    upload_id: id,
    state: upload.state,
    rows: total,
    completed_rows: completed,
    problem_rows: problems,
  };
  await addEvent(ctx, tx, { realmId, event: "upload.finished", data });
}

async function post(ctx: InvoicesCtx, work: RunWork, uploadRun: UploadRun): Promise<Ending> {
  const { run } = work;
  const upload = await findUpload(ctx.db, uploadRun.realmId, uploadRun.id);
  if (run.canceledBy) {
    // Sends nothing: it finds what an earlier holder sent, so that the rest is surely not in the books.
    const isInDoubt = run.needsReconcile === "taken_over" && upload?.stage === "posting";
    if (isInDoubt) await write(ctx, { ...work, sliceEnds: () => true }, uploadRun);
    return canceled(run.canceledBy);
  }
  if (!upload) return { state: "done" };
  if (upload.stage !== "posting") {
    const early = await plan(ctx, uploadRun, upload);
    if (early) return early;
    await refreshSummary(ctx, uploadRun);
  }
  return write(ctx, work, uploadRun);
}

/** Finds invoices that earlier holders of the run sent, then sends the others. */
async function write(ctx: InvoicesCtx, work: RunWork, uploadRun: UploadRun): Promise<Ending> {
  const { run } = work;
  const posted = collectPosted(ctx, uploadRun);
  return writeInvoices(ctx, work, {
    command: createCommand(uploadRun),
    operation: createOperation(ctx, uploadRun, posted.add),
    onStored: posted.publish,
    // The ledger may be copied or restored: then an earlier holder has posted what is only planned here.
    reconcileFrom: (await ctx.holders.mayHave(run))
      ? {
          since: run.requestedAt,
          onDone: async () => {
            await withFence(ctx.db, run, (tx) => markReconciled(tx, run));
            run.needsReconcile = null;
            await ctx.holders.noteFound(run);
          },
        }
      : null,
  });
}

/**
 * Compares the file with the books and saves the outcome. An upload waits while the same invoices are being
 * removed from the books, until the end of that undo wakes it.
 * @returns an ending if nothing may be posted now, else null: its invoices are planned as writes
 */
async function plan(ctx: InvoicesCtx, uploadRun: UploadRun, upload: Upload): Promise<Ending | null> {
  // Its process died after it had saved the plan.
  if (upload.stage === "review") return { state: "done" };
  if (upload.readings >= MAX_DEAD_READINGS) return FAILED;
  const pendingUndo = await findPendingUndo(ctx.db, upload);
  if (pendingUndo) return waitForUndo(pendingUndo);
  await settleUnresolved(ctx, uploadRun.realmId);
  const found = await planUpload(ctx, uploadRun, upload);
  if (found.pendingUndo !== null) return waitForUndo(found.pendingUndo);
  try {
    const stage = await savePlan(ctx, uploadRun, { upload, plan: found });
    return stage === "review" ? { state: "done" } : null;
  } catch (error) {
    if (!(error instanceof PlanOutdated)) throw error;
    if (error.undoId !== null) return waitForUndo(error.undoId);
    return waitUntil("plan_changed", ctx.clock.now().getTime() + REPLAN_AFTER_MS);
  }
}

const waitForUndo = (undoId: string): Ending => ({
  state: "waiting",
  cause: { code: "waiting_for_undo", params: { undo_id: undoId } },
  dueAt: null,
});
