import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import * as contract from "#features/invoices/choices/contract.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import {
  chooseColumns,
  chooseDateOrder,
  findDateOrder,
  listColumnChoices,
  readColumns,
} from "#features/sheets/index.ts";
import { chooseName } from "#features/invoices/choices/choose-name.ts";
import { createCustomer } from "#features/invoices/choices/create-customer.ts";
import { forgetName } from "#features/invoices/choices/forget-name.ts";
import { listUnknownNames } from "#features/invoices/choices/list-unknown-names.ts";
import { searchList } from "#features/invoices/choices/search-list.ts";
import { listNameChoices } from "#features/invoices/choices/store.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { Call, Mount } from "#platform/http/mount.ts";

/** Looks at columns in a thread. */
const COLUMNS = new URL("./inspect-columns.ts", import.meta.url);

export function choicesRoutes(mount: Mount<Caller>, ctx: InvoicesCtx): void {
  const realmOf = (call: Call<Caller>) => currentCompany(call).realmId;
  const whoOf = (call: Call<Caller>) => ({ realmId: realmOf(call), by: currentUser(call).email });

  mount(contract.listUnknownNames, async ({ params, query: { after, limit } }, call) =>
    listUnknownNames(ctx, { realmId: realmOf(call), id: params.upload_id }, { after, limit }),
  );

  mount(contract.searchList, async ({ params, query }, call) => ({
    entries: await searchList(ctx, realmOf(call), { kind: params.kind, text: query.q }),
  }));

  mount(contract.listNameChoices, async (_input, call) => ({
    names: await listNameChoices(ctx.db, realmOf(call)),
  }));

  mount(contract.chooseName, async ({ body }, call) => chooseName(withAudit(ctx, call), whoOf(call), body));

  mount(contract.forgetName, async ({ query }, call) => {
    await forgetName(withAudit(ctx, call), realmOf(call), query);
    return {};
  });

  mount(contract.createCustomer, async ({ body }, call) =>
    createCustomer(withAudit(ctx, call), realmOf(call), body.name),
  );

  mount(contract.readColumns, async ({ file }, call) =>
    readColumns(ctx, realmOf(call), { file, sheet: invoiceSheet, module: COLUMNS }),
  );

  mount(contract.listColumnChoices, async (_input, call) => ({
    columns: await listColumnChoices(ctx.db, realmOf(call), invoiceSheet),
  }));

  mount(contract.readDateOrder, async (_input, call) => ({
    order: await findDateOrder(ctx.db, { realmId: realmOf(call), kind: invoiceSheet.kind }),
  }));

  mount(contract.chooseDateOrder, async ({ body }, call) => {
    await chooseDateOrder(withAudit(ctx, call), whoOf(call), { sheet: invoiceSheet, order: body.order });
    return {};
  });

  mount(contract.chooseColumns, async ({ body }, call) => {
    await chooseColumns(withAudit(ctx, call), whoOf(call), { sheet: invoiceSheet, columns: body.columns });
    return {};
  });
}
