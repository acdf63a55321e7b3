import { readClosedThrough, withdrawInvoices } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { toUndoAction } from "#features/invoices/runs.ts";
import { loadPosted, planUndo, undoCommand } from "#features/invoices/ledger/store-writes.ts";
import { uploadForRun, workOnUpload } from "#features/invoices/post/work-on-upload.ts";
import { writeInvoices } from "#features/invoices/post/write-invoices.ts";
import { withFence } from "#platform/runs/fence.ts";
import { wakeRuns } from "#platform/runs/store.ts";
import type { EndInTransaction, RunWork } from "#platform/runs/types.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import { settleOpenWrites } from "#platform/writes/store.ts";

/** Surely nothing was done with it: as if the undo had not come to it. */
const UNTOUCHED: Cause = { code: "not_sent", params: {}, tid: null };
const IN_DOUBT: Cause = { code: "in_doubt", params: {}, tid: null };

/**
 * Takes the invoices of an upload out of the books again, each exactly once, but none that others touched since they were
 * posted. May run again at any moment without harm. Uploads that wait for its end then continue.
 */
export async function undoUpload(ctx: InvoicesCtx, work: RunWork): Promise<EndInTransaction> {
  const { run } = work;
  const uploadRun = uploadForRun(run);
  const command = undoCommand(uploadRun, run.id);
  const action = toUndoAction(run.kind);
  return workOnUpload(ctx, uploadRun, {
    work: async () => {
      await withFence(ctx.db, run, (tx) => planUndo(tx, command, { action, now: run.requestedAt }));
      const closedThrough = await readClosedThrough(ctx, run.realmId);
      const operation = withdrawInvoices(ctx.books(run.realmId), {
        clock: ctx.clock,
        action,
        closedThrough,
        loadBodies: (writes) => loadPosted(ctx.db, uploadRun, writes),
      });
      // Each invoice is read right before its undo: that shows what a previous holder did.
      return writeInvoices(ctx, work, { command, operation, reconcileFrom: null });
    },
    save: async (tx, { state }) => {
      if (state !== "done" && state !== "stopped") return;
      const now = ctx.clock.now();
      if (state === "stopped")
        await settleOpenWrites(tx, command, { planned: UNTOUCHED, sent: IN_DOUBT, now });
      const ended = { code: "waiting_for_undo", params: { undo_id: run.id } };
      await wakeRuns(tx, run.realmId, { causes: [ended], now });
    },
  });
}
