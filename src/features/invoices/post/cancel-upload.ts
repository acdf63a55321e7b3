import type { CallCtx } from "#features/invoices/ctx.ts";
import { noUpload } from "#features/invoices/ledger/store.ts";
import { lockUpload } from "#features/invoices/ledger/store-undos.ts";
import { withSummary } from "#features/invoices/results/refresh-summary.ts";
import { postUploadRun } from "#features/invoices/runs.ts";
import { conflict } from "#platform/errors.ts";
import { cancelRuns } from "#platform/runs/store.ts";

/**
 * Cancels an upload that has not ended: what is posted stays, and nothing more is sent after the calls in progress.
 * Canceling twice is harmless.
 * @throws AppError 404 for an unknown upload; 409 once it has ended
 */
export async function cancelUpload(
  ctx: CallCtx,
  realmId: string,
  { uploadId, by }: { uploadId: string; by: string },
): Promise<void> {
  const upload = { realmId, id: uploadId };
  await ctx.db.transaction().execute((tx) =>
    withSummary(tx, upload, async () => {
      if ((await lockUpload(tx, upload)) === null) throw noUpload();
      const which = { realmId, subject: uploadId, kinds: [postUploadRun.kind] };
      const runs = await cancelRuns(tx, which, { by, now: ctx.clock.now() });
      if (runs.length === 0)
        throw conflict("upload_ended", "This upload has already ended. Reload the page.");
      await ctx.audit(tx, { action: "upload.cancel", ids: { upload: uploadId } });
    }),
  );
}
