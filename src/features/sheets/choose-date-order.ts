import type { SheetKind } from "#formats/table/define-sheet.ts";
import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { WrittenOrder } from "#features/sheets/contract.ts";
import { findDateOrder, removeDateOrder, saveDateOrder } from "#features/sheets/store.ts";

/**
 * Remembers what comes first in dates such as 03/04/2026, for every later file of this kind in this company that does
 * not show it itself; null forgets it, and then it is asked for again.
 */
export async function chooseDateOrder(
  ctx: Ctx & Audited,
  who: { realmId: string; by: string },
  { sheet, order }: { sheet: SheetKind; order: WrittenOrder | null },
): Promise<void> {
  const own = { ...who, kind: sheet.kind };
  await ctx.db.transaction().execute(async (tx) => {
    const before = await findDateOrder(tx, own);
    if (order === null) await removeDateOrder(tx, own);
    else await saveDateOrder(tx, { ...own, now: ctx.clock.now() }, order);
    const facts = { before: { order: before }, after: { sheet: sheet.kind, order } };
    await ctx.audit(tx, { action: "choices.choose_date_order", ...facts });
  });
}
