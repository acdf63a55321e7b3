import type { Company } from "#features/companies/index.ts";
import { conflict, notFound } from "#platform/errors.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import type { UndoAction, UndoRun } from "#features/invoices/undo/contract.ts";
import { addUndoUpload } from "#features/invoices/undo/jobs.ts";
import { readRun } from "#features/invoices/undo/read-run.ts";
import { isOpen, nothingSentence } from "#features/invoices/undo/rules.ts";
import { addUndo, findLatestUndo, lockUpload, type Undo } from "#features/invoices/undo/store.ts";
import { countUnknown, hasPosted } from "#features/invoices/undo/store-ledger.ts";
import { lockPlans } from "#features/invoices/store.ts";

type Wish = { uploadId: string; action: UndoAction; requestedBy: string };

/**
 * Asks for an upload to be undone. Asked again while it is at work it changes nothing, and asked when nothing of the
 * upload is known to be in the books it ends at once and says so.
 * @throws AppError 404 when the company has no such upload; 409 while it is being worked on, or undone another way
 */
export async function startUndo(ctx: InvoicesCtx, { realmId }: Company, wish: Wish): Promise<UndoRun> {
  const undo = await ctx.db.transaction().execute(async (tx): Promise<Undo> => {
    const upload = { realmId, id: wish.uploadId };
    const state = await lockUpload(tx, upload);
    if (state === null) throw noUpload();
    if (isOpen(state)) throw uploadAtWork();
    const latest = await findLatestUndo(tx, realmId, wish.uploadId);
    if (latest && isOpen(latest.state)) {
      if (latest.action === wish.action) return latest;
      throw conflict("undo_in_process", "Wait until the undo of this upload that is at work has ended.");
    }
    await lockPlans(tx, realmId);
    const now = ctx.clock.now();
    const base = { realmId, id: ctx.ids.uuid(), ...wish, reason: "", requestedAt: now };
    if (!(await hasPosted(tx, upload))) {
      const reason = nothingSentence(await countUnknown(tx, upload));
      const nothing: Undo = { ...base, reason, state: "finished", finishedAt: now };
      await addUndo(tx, nothing);
      return nothing;
    }
    const queued: Undo = { ...base, state: "queued", finishedAt: null };
    await addUndo(tx, queued);
    await addUndoUpload(tx, { realmId, undoId: queued.id });
    return queued;
  });
  return readRun(ctx, undo);
}

export const noUpload = () =>
  notFound("This company has no such upload. Reload the page to see its uploads.");

export const uploadAtWork = () =>
  conflict("upload_in_process", "Wait until this upload has ended; then it can be undone.");
