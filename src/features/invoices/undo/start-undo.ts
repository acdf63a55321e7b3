import type { Company } from "#features/companies/index.ts";
import { conflict } from "#platform/errors.ts";
import type { CallCtx } from "#features/invoices/ctx.ts";
import { lockPlans, noUpload, raiseListVersion } from "#features/invoices/ledger/store.ts";
import type { UndoAction } from "#features/invoices/contract.ts";
import type { UndoRun } from "#features/invoices/undo/contract.ts";
import { addRun } from "#platform/runs/store.ts";
import { undoRuns } from "#features/invoices/runs.ts";
import { readRun } from "#features/invoices/undo/read-run.ts";
import {
  findLatestUndo,
  isOpen,
  lockUpload,
  undoInProgress,
  type Undo,
} from "#features/invoices/ledger/store-undos.ts";
import { countInBooks } from "#features/invoices/ledger/store-writes.ts";

type Request = { uploadId: string; action: UndoAction; requestedBy: string };

/**
 * Queues the undo of an upload. While an undo is open, repeated calls change nothing. If nothing of the
 * upload is known to be in the books, the undo completes immediately and says so.
 * @throws AppError 404 for an unknown upload; 409 while it is in progress, or while an undo of the
 * other kind (void or delete) is open
 */
export async function startUndo(ctx: CallCtx, { realmId }: Company, request: Request): Promise<UndoRun> {
  const undo = await ctx.db.transaction().execute(async (tx): Promise<Undo> => {
    const upload = { realmId, id: request.uploadId };
    const state = await lockUpload(tx, upload);
    if (state === null) throw noUpload();
    if (isOpen(state)) throw uploadInProgress();
    const latest = await findLatestUndo(tx, upload);
    if (latest && isOpen(latest.state)) {
      if (latest.action === request.action) return latest;
      throw undoInProgress();
    }
    await lockPlans(tx, realmId);
    await ctx.guardUndo(tx, { realmId, uploadId: request.uploadId });
    const now = ctx.clock.now();
    const { posted, unresolved } = await countInBooks(tx, upload);
    const nothing = { code: "nothing_posted", params: { in_doubt: unresolved } };
    await addRun(tx, undoRuns[request.action], {
      realmId,
      id: ctx.ids.uuid(),
      subject: request.uploadId,
      requestedBy: request.requestedBy,
      requestedAt: now,
      completedBecause: posted > 0 ? null : nothing,
    });
    await raiseListVersion(tx, realmId);
    const added = await findLatestUndo(tx, upload);
    if (!added) throw new Error("The undo that was just added is not there.");
    const ids = { upload: added.uploadId, undo: added.id };
    await ctx.audit(tx, { action: "undo.start", ids, after: { action: added.action } });
    return added;
  });
  return readRun(ctx, undo, []);
}

export const uploadInProgress = () =>
  conflict("upload_in_process", "This upload is still in progress. You can undo it when it's finished.");
