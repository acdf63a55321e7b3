import * as z from "zod";
import type { Db } from "#platform/db/connect.ts";
import { addJob, defineJob, type Job } from "#platform/jobs/define-job.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { booksQueue } from "#features/invoices/jobs.ts";
import { undoUpload } from "#features/invoices/undo/undo-upload.ts";

type UndoIds = { realmId: string; undoId: string };

export const undoUploadJob: Job<UndoIds, InvoicesCtx> = defineJob({
  kind: "invoices.undo-upload",
  payload: z.object({ realmId: z.string(), undoId: z.uuid() }),
  maxAttempts: 8,
  run: async (ctx: InvoicesCtx, payload, run) => {
    if ((await undoUpload(ctx, payload, run)) === "interrupted") await addUndoUpload(ctx.db, payload);
  },
});

/** Puts an undo in its company's line, behind the uploads that are there; a waiting one is not doubled. */
export async function addUndoUpload(db: Db, { realmId, undoId }: UndoIds): Promise<void> {
  const key = `undo-upload:${undoId}`;
  await addJob(db, undoUploadJob, { payload: { realmId, undoId }, queue: booksQueue(realmId), key });
}
