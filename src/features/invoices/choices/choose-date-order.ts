import type { Ctx } from "#platform/ctx.ts";
import type { WrittenOrder } from "#features/invoices/choices/contract.ts";
import { removeDateOrder, saveDateOrder } from "#features/invoices/choices/store.ts";

/**
 * Remembers what comes first in dates such as 03/04/2026, for every later file of this company that does not tell it
 * itself; null forgets it, and then it is asked for again.
 */
export async function chooseDateOrder(
  ctx: Ctx,
  who: { realmId: string; by: string },
  order: WrittenOrder | null,
): Promise<void> {
  if (order === null) await removeDateOrder(ctx.db, who.realmId);
  else await saveDateOrder(ctx.db, { ...who, now: ctx.clock.now() }, order);
}
