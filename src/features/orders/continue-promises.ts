import { takeAgainSince } from "#features/orders/folders/store.ts";
import { settleLeft } from "#features/orders/notices-out/settle-left.ts";
import { readPromised, type LeftNotice, type TakenFile } from "#features/orders/promises.ts";
import type { Journal } from "#integrations/objects/journal.ts";
import type { Db } from "#platform/db/connect.ts";

/**
 * Continues behind what the journal knows and a restored database doesn't: no notice leaves twice, and the files in the folders'
 * `done` are taken again.
 * @param since when the database was seen
 * @returns what was promised since
 */
export async function continueOrders(
  ctx: { db: Db; journal: Journal },
  since: Date,
): Promise<{ notices: LeftNotice[]; files: TakenFile[] }> {
  await settleLeft(ctx, null);
  await takeAgainSince(ctx.db, since);
  const { notices, files } = await readPromised(ctx.journal);
  const isLater = ({ at }: { at: string }) => new Date(at) >= since;
  return { notices: notices.filter(isLater), files: files.filter(isLater) };
}
