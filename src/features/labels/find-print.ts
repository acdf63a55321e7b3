import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";
import type { FoundPrint } from "#features/labels/contract.ts";
import type { MakingId, Makings } from "#features/labels/watch-making.ts";
import { findUploadOfPrint } from "#features/labels/ledger/store.ts";

const MAKING = { state: "making", upload_id: null } as const;

/**
 * What became of a request for labels whose answer was late or lost.
 * @throws AppError 404 when neither the ledger nor this process knows of it; whatever else ended it, as its answer had it
 */
export async function findPrint(
  { db, makings }: Pick<Ctx, "db"> & { makings: Makings },
  id: MakingId,
): Promise<FoundPrint> {
  if (makings.isMaking(id)) return MAKING;
  // The ledger is asked first: of work whose database was lost during its commit nobody else knows.
  const stored = await findUploadOfPrint(db, id);
  // Work that began while it was asked is known here alone.
  if (stored === null && makings.isMaking(id)) return MAKING;
  const uploadId = stored ?? (await makings.findMade(id));
  if (uploadId !== null) return { state: "made", upload_id: uploadId };
  throw notFound(
    "These labels weren't found. Upload the file again: rows that became labels already get the same ones, with the same SSCCs.",
  );
}
