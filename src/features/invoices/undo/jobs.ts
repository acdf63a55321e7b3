import * as z from "zod";
import type { Db } from "#platform/db/connect.ts";
import { addJob, defineJob, type Job } from "#platform/jobs/define-job.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { againAt, booksQueue } from "#features/invoices/jobs.ts";
import { undoUpload } from "#features/invoices/undo/undo-upload.ts";

type UndoIds = { realmId: string; undoId: string };

export const undoUploadJob: Job<UndoIds, InvoicesCtx> = defineJob({
  kind: "invoices.undo-upload",
  payload: z.object({ realmId: z.string(), undoId: z.uuid() }),
  maxAttempts: 8,
  run: async (ctx: InvoicesCtx, payload, run) => {
    const againAfterMs = await undoUpload(ctx, payload, run);
    if (againAfterMs !== null) await addUndoUpload(ctx.db, payload, againAt(ctx, againAfterMs));
  },
});

/** Begins the key of an undo's job; its id ends it. */
export const UNDO_UPLOAD_KEY = "undo-upload:";

/** Puts an undo in its company's line, now or at a later time, behind the uploads there; a waiting one is not doubled. */
export async function addUndoUpload(db: Db, ids: UndoIds, runAt?: Date): Promise<void> {
  const key = `${UNDO_UPLOAD_KEY}${ids.undoId}`;
  await addJob(db, undoUploadJob, { payload: ids, queue: booksQueue(ids.realmId), key, runAt });
}
