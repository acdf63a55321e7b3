import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { dayOf } from "#formats/text/phrases.ts";
import { findNameChoices } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { readLists } from "#features/books/index.ts";
import type { PlanLists } from "#features/invoices/plan/rules.ts";
import { findColumnChoices, findDateOrder } from "#features/sheets/index.ts";

/** Reads what users of the company confirmed, beside the lists of its books. */
export async function readListsAndChoices(ctx: InvoicesCtx, realmId: string): Promise<PlanLists> {
  const [lists, nameChoices, columnChoices, dateOrder] = await Promise.all([
    readLists(ctx, realmId),
    findNameChoices(ctx.db, realmId),
    findColumnChoices(ctx.db, { realmId, kind: invoiceSheet.kind }),
    findDateOrder(ctx.db, { realmId, kind: invoiceSheet.kind }),
  ]);
  const today = dayOf(ctx.clock.now());
  return { ...lists, nameChoices, columnChoices, dateOrder, today };
}
