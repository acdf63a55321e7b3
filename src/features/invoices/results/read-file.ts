import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { findUpload, noUpload } from "#features/invoices/ledger/store.ts";

/** Reads the file of an upload as it was uploaded. @throws AppError 404 for an unknown upload, and once its file was removed */
export async function readUploadedFile(
  ctx: InvoicesCtx,
  realmId: string,
  uploadId: string,
): Promise<{ name: string; bytes: Buffer }> {
  const upload = await findUpload(ctx.db, realmId, uploadId);
  if (!upload) throw noUpload();
  return { name: upload.fileName, bytes: await ctx.objects.read(upload.objectKey) };
}
