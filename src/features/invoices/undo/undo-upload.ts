import { readClosedThrough, withdrawInvoices } from "#features/books/index.ts";
import { wakeRuns } from "#platform/runs/store.ts";
import type { EndInTransaction, Ending, RunWork } from "#platform/runs/types.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import { settleOpenWrites } from "#platform/writes/store.ts";
import { withFence } from "#platform/runs/fence.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { loadPosted, planUndo, undosOf } from "#features/invoices/ledger/store-writes.ts";
import { driveUpload } from "#features/invoices/post/post-invoices.ts";
import { heldBy, runWork } from "#features/invoices/post/run-work.ts";
import { actionOf } from "#features/invoices/jobs.ts";

/**
 * Takes the invoices of an upload out of the books again, each exactly once, but none that others touched since they were
 * posted. May run again at any moment without harm. Uploads that wait for its end go on.
 */
export async function undoUpload(ctx: InvoicesCtx, work: RunWork): Promise<EndInTransaction> {
  const { run } = work;
  const command = undosOf(heldBy(run), run.id);
  return runWork(ctx, {
    run,
    work: () => undoAll(ctx, work),
    save: async (tx, { state }) => {
      if (state !== "done" && state !== "stopped") return;
      const now = ctx.clock.now();
      if (state === "stopped")
        await settleOpenWrites(tx, command, { planned: UNTOUCHED, sent: IN_DOUBT, now });
      const ended = { code: "behind_undo", params: { undo_id: run.id } };
      await wakeRuns(tx, run.realmId, { causes: [ended], now });
    },
  });
}

/** Surely nothing was done with it: as if the undo had not come to it. */
const UNTOUCHED: Cause = { code: "not_sent", params: {}, tid: null };
const IN_DOUBT: Cause = { code: "in_doubt", params: {}, tid: null };

async function undoAll(ctx: InvoicesCtx, work: RunWork): Promise<Ending> {
  const { run } = work;
  const held = heldBy(run);
  const command = undosOf(held, run.id);
  const action = actionOf(run.kind);
  await withFence(ctx.db, run, (tx) => planUndo(tx, command, { action, now: run.requestedAt }));
  const closedThrough = await readClosedThrough(ctx, held.realmId);
  return driveUpload(ctx, work, {
    command,
    operation: withdrawInvoices(ctx.books(held.realmId), {
      clock: ctx.clock,
      action,
      closedThrough,
      loadBodies: (writes) => loadPosted(ctx.db, held, writes),
    }),
    // Each invoice is looked at right before its undo: that shows what a previous holder did.
    look: null,
  });
}
