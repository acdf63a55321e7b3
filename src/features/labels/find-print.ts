import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";
import type { FoundPrint } from "#features/labels/contract.ts";
import type { MakingId, Makings } from "#features/labels/watch-making.ts";
import { findUploadOfPrint } from "#features/labels/ledger/store.ts";

/**
 * What became of a request for labels whose answer was late or lost.
 * @throws AppError 404 when nothing was made of it and nothing will be; whatever else ended it, as its answer had it
 */
export async function findPrint(
  { db, makings }: Pick<Ctx, "db"> & { makings: Makings },
  id: MakingId,
): Promise<FoundPrint> {
  if (makings.isMaking(id)) return { state: "making", upload_id: null };
  // Asked first: of work whose database was lost during its commit nobody else knows.
  const uploadId = await findUploadOfPrint(db, id);
  if (uploadId !== null) return { state: "made", upload_id: uploadId };
  await makings.refuseFailed(id);
  throw notFound("These labels were not made, and no SSCC was used. Upload the file again.");
}
