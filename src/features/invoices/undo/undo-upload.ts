import { readClosedThrough, withdrawInvoices } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { canceled, toUndoAction, undoRuns } from "#features/invoices/runs.ts";
import { noteUndoEnd, promiseUndo } from "#features/invoices/undo/promises.ts";
import { loadPosted, planUndo, undoCommand } from "#features/invoices/ledger/store-writes.ts";
import { uploadForRun, workOnUpload } from "#features/invoices/post/work-on-upload.ts";
import { writeInvoices } from "#features/invoices/post/write-invoices.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import { withFence } from "#platform/runs/fence.ts";
import { wakeRuns } from "#platform/runs/store.ts";
import type { EndInTransaction, RunWork } from "#platform/runs/types.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import { settleOpenWrites } from "#platform/writes/store.ts";

/** Certainly nothing was done to it, as if the undo had not reached it. */
const UNTOUCHED: Cause = { code: "not_sent", params: {}, tid: null };
const IN_DOUBT: Cause = { code: "in_doubt", params: {}, tid: null };

export const undoUploadRuns = (ctx: InvoicesCtx): BoundRun[] => [
  bindRun(undoRuns.void, undoUpload, ctx),
  bindRun(undoRuns.delete, undoUpload, ctx),
];

/**
 * Voids or deletes the invoices of an upload, each exactly once, except those changed by others since. Safe
 * to run again at any point. Uploads that wait for its end then continue.
 */
async function undoUpload(ctx: InvoicesCtx, work: RunWork): Promise<EndInTransaction> {
  const { run } = work;
  const uploadRun = uploadForRun(run);
  const command = undoCommand(uploadRun, run.id);
  const action = toUndoAction(run.kind);
  return workOnUpload(ctx, uploadRun, {
    work: async () => {
      if (run.canceledBy) return canceled(run.canceledBy);
      await withFence(ctx.db, run, (tx) => planUndo(tx, command, { action, now: run.requestedAt }));
      const earlier = await promiseUndo(ctx.journal, {
        realm: run.realmId,
        upload: uploadRun.id,
        run: run.id,
        action,
        by: run.requestedBy,
        at: run.requestedAt.toISOString(),
      });
      const closedThrough = await readClosedThrough(ctx, run.realmId);
      const operation = withdrawInvoices(ctx.books(run.realmId), {
        clock: ctx.clock,
        action,
        closedThrough,
        earlier,
        loadBodies: (writes) => loadPosted(ctx.db, uploadRun, writes),
      });
      // Each invoice is read right before its undo, which shows what an earlier holder did.
      return writeInvoices(ctx, work, { command, operation, reconcileFrom: null });
    },
    save: async (tx, { state }) => {
      if (state !== "done" && state !== "stopped") return;
      const now = ctx.clock.now();
      // Before the commit: if that fails, the undo starts again, and has nothing left to do.
      await noteUndoEnd(ctx.journal, run.id, now);
      if (state === "stopped")
        await settleOpenWrites(tx, command, { planned: UNTOUCHED, sent: IN_DOUBT, now });
      const ended = { code: "waiting_for_undo", params: { undo_id: run.id } };
      await wakeRuns(tx, run.realmId, { causes: [ended], now });
    },
  });
}
