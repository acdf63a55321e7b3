import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { findNameChoices } from "#features/invoices/choices/store.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import { readLists } from "#features/invoices/lists/read-lists.ts";
import type { BooksLists } from "#features/invoices/lists/rules.ts";
import { findColumnChoices, findDateOrder } from "#features/sheets/index.ts";

/** Reads what people of the company confirmed, beside the lists of its books. */
export async function readListsAndChoices(ctx: InvoicesCtx, realmId: string): Promise<BooksLists> {
  const [lists, nameChoices, columnChoices, dateOrder] = await Promise.all([
    readLists(ctx, realmId),
    findNameChoices(ctx.db, realmId),
    findColumnChoices(ctx.db, { realmId, kind: invoiceSheet.kind }),
    findDateOrder(ctx.db, { realmId, kind: invoiceSheet.kind }),
  ]);
  const today = ctx.clock.now().toISOString().slice(0, 10);
  return { ...lists, nameChoices, columnChoices, dateOrder, today };
}
