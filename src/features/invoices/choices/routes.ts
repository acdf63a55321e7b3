import { currentCompany, currentPerson, type Caller } from "#features/companies/index.ts";
import * as contract from "#features/invoices/choices/contract.ts";
import { chooseColumns, readColumns } from "#features/invoices/choices/choose-columns.ts";
import { chooseDateOrder } from "#features/invoices/choices/choose-date-order.ts";
import { chooseName } from "#features/invoices/choices/choose-name.ts";
import { createCustomer } from "#features/invoices/choices/create-customer.ts";
import { listUnknownNames } from "#features/invoices/choices/list-unknown-names.ts";
import { searchList } from "#features/invoices/choices/search-list.ts";
import {
  findDateOrder,
  listColumnChoices,
  listNameChoices,
  removeNameChoice,
} from "#features/invoices/choices/store.ts";
import type { InvoicesCtx } from "#features/invoices/hold-upload.ts";
import { looseName } from "#features/invoices/plan/rules-names.ts";
import type { Call, Mount } from "#platform/http/mount.ts";

export function choicesRoutes(mount: Mount<Caller>, ctx: InvoicesCtx): void {
  const realmOf = (call: Call<Caller>) => currentCompany(call).realmId;
  const whoOf = (call: Call<Caller>) => ({ realmId: realmOf(call), by: currentPerson(call).email });

  mount(contract.listUnknownNames, async ({ params, query: { after, limit } }, call) =>
    listUnknownNames(ctx, { realmId: realmOf(call), id: params.upload_id }, { after, limit }),
  );

  mount(contract.searchList, async ({ params, query }, call) => ({
    entries: await searchList(ctx, realmOf(call), { kind: params.kind, text: query.q }),
  }));

  mount(contract.listNameChoices, async (_input, call) => ({
    names: await listNameChoices(ctx.db, realmOf(call)),
  }));

  mount(contract.chooseName, async ({ body }, call) => chooseName(ctx, whoOf(call), body));

  mount(contract.forgetName, async ({ query }, call) => {
    await removeNameChoice(ctx.db, realmOf(call), { kind: query.kind, key: looseName(query.text) });
    return {};
  });

  mount(contract.createCustomer, async ({ body }, call) => createCustomer(ctx, realmOf(call), body.name));

  mount(contract.readColumns, async ({ file }, call) => readColumns(ctx, realmOf(call), file));

  mount(contract.listColumnChoices, async (_input, call) => ({
    columns: await listColumnChoices(ctx.db, realmOf(call)),
  }));

  mount(contract.readDateOrder, async (_input, call) => ({
    order: await findDateOrder(ctx.db, realmOf(call)),
  }));

  mount(contract.chooseDateOrder, async ({ body }, call) => {
    await chooseDateOrder(ctx, whoOf(call), body.order);
    return {};
  });

  mount(contract.chooseColumns, async ({ body }, call) => {
    await chooseColumns(ctx, whoOf(call), body.columns);
    return {};
  });
}
