import type { Ctx } from "#platform/ctx.ts";
import type { ListedLabelUpload } from "#features/labels/contract.ts";
import { listLabelUploads } from "#features/labels/ledger/store.ts";
import { LISTED_UPLOADS } from "#features/labels/limits.ts";

/** The newest sheets of a company that became labels. */
export async function listUploads(
  { db }: Pick<Ctx, "db">,
  realmId: string,
): Promise<{ uploads: ListedLabelUpload[] }> {
  const uploads = await listLabelUploads(db, realmId, LISTED_UPLOADS);
  return {
    uploads: uploads.map(({ id, fileName, labelCount, madeAt, madeBy }) => ({
      id,
      filename: fileName,
      label_count: labelCount,
      made_at: madeAt.toISOString(),
      made_by: madeBy,
    })),
  };
}
