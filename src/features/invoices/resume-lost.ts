import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { addPostUpload, POST_UPLOAD_KEY } from "#features/invoices/jobs.ts";
import { findWithoutJob, UNDOS, UPLOADS, type WithoutJob } from "#features/invoices/store-waiting.ts";
import { addUndoUpload, UNDO_UPLOAD_KEY } from "#features/invoices/undo/jobs.ts";

/**
 * Gives a job to uploads and undos that are not at their end and have none: it failed for good, or was completed by a
 * worker that had been silent, from which it had been taken and which had put its next start into it. What waits for its
 * company to be connected again has no job until then. To be called again and again, by any number of processes.
 */
export async function resumeLost(ctx: InvoicesCtx): Promise<void> {
  const undos = await findWithoutJob(ctx.db, UNDOS, UNDO_UPLOAD_KEY);
  const uploads = await findWithoutJob(ctx.db, UPLOADS, POST_UPLOAD_KEY);
  if (undos.length + uploads.length === 0) return;
  const realmIds = [...undos, ...uploads].map(({ realmId }) => realmId);
  const connected = await ctx.findConnected([...new Set(realmIds)]);
  const isLost = ({ realmId, state }: WithoutJob) => state !== "paused" || connected.has(realmId);
  for (const { realmId, id } of undos.filter(isLost)) await addUndoUpload(ctx.db, { realmId, undoId: id });
  for (const { realmId, id } of uploads.filter(isLost))
    await addPostUpload(ctx.db, { realmId, uploadId: id });
  const lost = { undos: undos.filter(isLost).length, uploads: uploads.filter(isLost).length };
  if (lost.undos + lost.uploads > 0) ctx.log.warn(lost, "Work whose job was lost is taken up again");
}
