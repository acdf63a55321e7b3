import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";
import { findLabelUpload, type LabelUpload, type UploadId } from "#features/labels/ledger/store.ts";

/** @throws AppError 404 when the company has no such upload */
export async function requireUpload({ db }: Pick<Ctx, "db">, id: UploadId): Promise<LabelUpload> {
  const upload = await findLabelUpload(db, id);
  if (!upload) throw notFound("This company has no such labels. Reload the page.");
  return upload;
}
