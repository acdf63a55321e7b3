import * as z from "zod";
import type { Ctx } from "#platform/ctx.ts";
import type { Db } from "#platform/db/connect.ts";
import { addJob, defineJob, type Job } from "#platform/jobs/define-job.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { postUpload } from "#features/invoices/post/post-upload.ts";

/** Work that writes to one company's books runs one at a time, and one company never waits for another. */
export const booksQueue = (realmId: string) => `books:${realmId}`;

/** When work that is not at its end is taken up again; undefined means now. */
export const againAt = ({ clock }: Ctx, afterMs: number): Date | undefined =>
  afterMs > 0 ? new Date(clock.now().getTime() + afterMs) : undefined;

type UploadIds = { realmId: string; uploadId: string };

export const postUploadJob: Job<UploadIds, InvoicesCtx> = defineJob({
  kind: "invoices.post-upload",
  payload: z.object({ realmId: z.string(), uploadId: z.uuid() }),
  maxAttempts: 8,
  run: async (ctx: InvoicesCtx, payload, run) => {
    const againAfterMs = await postUpload(ctx, payload, run);
    if (againAfterMs !== null) await addPostUpload(ctx.db, payload, againAt(ctx, againAfterMs));
  },
});

/** Begins the key of an upload's job; its id ends it. */
export const POST_UPLOAD_KEY = "post-upload:";

/** Puts an upload in its company's line, now or at a later time; a waiting job of the same upload is not doubled. */
export async function addPostUpload(db: Db, ids: UploadIds, runAt?: Date): Promise<void> {
  const key = `${POST_UPLOAD_KEY}${ids.uploadId}`;
  await addJob(db, postUploadJob, { payload: ids, queue: booksQueue(ids.realmId), key, runAt });
}
