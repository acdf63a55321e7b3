import type { Ctx } from "#platform/ctx.ts";
import { AppError, notFound } from "#platform/errors.ts";
import type { FoundPrint } from "#features/labels/contract.ts";
import { findRequest, markAnswered, type PrintId, type Refusal } from "#features/labels/requests/store.ts";

/**
 * What became of a request for labels whose answer was late or lost.
 * @throws AppError 404 when there is none; whatever ended it, as its answer had it
 */
export async function findPrint({ db }: Pick<Ctx, "db">, id: PrintId): Promise<FoundPrint> {
  const request = await findRequest(db, id);
  if (!request)
    throw notFound(
      "These labels weren't found. Upload the file again: rows that became labels already get the same ones, with the same SSCCs.",
    );
  const { uploadId, refusal } = request;
  if (refusal) throw await answerRefusal({ db }, id, refusal);
  return { state: uploadId === null ? "making" : "made", upload_id: uploadId };
}

/** @returns what to answer whoever asked, and need not be shown later */
export async function answerRefusal(
  { db }: Pick<Ctx, "db">,
  id: PrintId,
  refusal: Refusal,
): Promise<AppError> {
  await markAnswered(db, id);
  return new AppError(refusal);
}
