import { readClosedThrough, VENDOR, withdrawInvoices } from "#features/books/index.ts";
import { wakeRuns } from "#platform/runs/store.ts";
import type { EndInTransaction, RunWork } from "#platform/runs/types.ts";
import { driveWrites } from "#platform/writes/drive-writes.ts";
import type { Cause } from "#platform/writes/evidence.ts";
import { settleOpenWrites } from "#platform/writes/store.ts";
import { withFence } from "#features/invoices/ledger/hold-upload.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { loadPosted, planUndo, undosOf } from "#features/invoices/ledger/store-writes.ts";
import { CONCURRENCY, createProgress } from "#features/invoices/post/post-invoices.ts";
import { outcomeOf } from "#features/invoices/post/post-upload.ts";
import { earlyCause, type WorkOutcome } from "#features/invoices/post/rules-outcome.ts";
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
    save: async (tx, end) => {
      const now = ctx.clock.now();
      const isEarly = earlyCause(end) !== null;
      if (isEarly) await settleOpenWrites(tx, command, { planned: UNTOUCHED, sent: IN_DOUBT, now });
      if (!isEarly && end.kind !== "settled") return;
      const ended = { code: "behind_undo", params: { undo_id: run.id } };
      await wakeRuns(tx, run.realmId, { causes: [ended], now });
    },
  });
}

/** Surely nothing was done with it: as if the undo had not come to it. */
const UNTOUCHED: Cause = { code: "not_sent", params: {}, tid: null };
const IN_DOUBT: Cause = { code: "in_doubt", params: {}, tid: null };

async function undoAll(ctx: InvoicesCtx, { run, stop, sliceEnds }: RunWork): Promise<WorkOutcome> {
  const held = heldBy(run);
  const command = undosOf(held, run.id);
  const action = actionOf(run.kind);
  await withFence(ctx, held, (tx) => planUndo(tx, command, { action, now: run.requestedAt }));
  const end = await driveWrites(ctx, {
    command,
    vendor: VENDOR,
    operation: withdrawInvoices(ctx.books(held.realmId), {
      clock: ctx.clock,
      action,
      closedThrough: await readClosedThrough(ctx, held.realmId),
      loadBodies: (writes) =>
        loadPosted(
          ctx.db,
          held,
          writes.map(({ part }) => part),
        ),
    }),
    policy: ctx.writePolicy,
    concurrency: CONCURRENCY,
    withFence: (write) => withFence(ctx, held, write),
    // Each invoice is looked at right before its undo: that shows what a previous holder did.
    look: null,
    stop,
    sliceEnds,
    onProgress: createProgress(ctx, held),
  });
  return outcomeOf(ctx, end);
}
