import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { dayIn } from "#formats/text/phrases.ts";
import { findTimeZone } from "#features/companies/index.ts";
import { findNameChoices } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { readLists } from "#features/books/index.ts";
import type { PlanLists } from "#features/invoices/plan/rules.ts";
import { findColumnChoices, findDateOrder } from "#features/sheets/index.ts";

/** Reads what users of the company confirmed, beside the lists of its books. */
export async function readListsAndChoices(ctx: InvoicesCtx, realmId: string): Promise<PlanLists> {
  const [lists, nameChoices, columnChoices, dateOrder, timeZone] = await Promise.all([
    readLists(ctx, realmId),
    findNameChoices(ctx.db, realmId),
    findColumnChoices(ctx.db, { realmId, kind: invoiceSheet.kind }),
    findDateOrder(ctx.db, { realmId, kind: invoiceSheet.kind }),
    findTimeZone(ctx.db, realmId),
  ]);
  const today = dayIn(timeZone)(ctx.clock.now());
  return { ...lists, nameChoices, columnChoices, dateOrder, today };
}
