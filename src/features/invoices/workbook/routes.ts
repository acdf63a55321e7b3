import { readEntries } from "#features/books/index.ts";
import type { Caller } from "#features/companies/index.ts";
import { sheetRoutes } from "#features/sheets/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import * as endpoints from "#features/invoices/workbook/contract.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import type { Mount } from "#platform/http/mount.ts";

export const workbookRoutes = (mount: Mount<Caller>, ctx: InvoicesCtx): void =>
  sheetRoutes(mount, ctx, {
    endpoints,
    sheet: invoiceSheet,
    module: new URL("./inspect-columns.ts", import.meta.url),
    // Suggestions only: while QuickBooks can't be read, users type a name.
    listNames: async (realmId) => {
      const items = await readEntries(ctx, realmId, "item").catch(() => []);
      return items.map(({ name }) => name);
    },
  });
