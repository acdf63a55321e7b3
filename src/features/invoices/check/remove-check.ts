import { removeCheck } from "#features/invoices/check/store.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { findUpload, type UploadId } from "#features/invoices/store.ts";

/**
 * Removes a check that nobody posted or dropped, with its file. Harmless when it is gone or was posted.
 * @returns true while it is being worked on: then it is to be tried again later
 */
export async function removeOldCheck(ctx: InvoicesCtx, check: UploadId): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    const key = await removeCheck(tx, check, "age");
    // Before the row is surely gone: a file without a row would stay for ever, a row without its file is removed again.
    if (key) await ctx.objects.remove(key);
    return key === null && (await findUpload(tx, check.realmId, check.id))?.phase === "check";
  });
}
