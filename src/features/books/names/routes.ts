import { type Caller, currentCompany, currentUser, withAudit } from "#features/companies/index.ts";
import type { BooksCtx } from "#features/books/ctx.ts";
import { searchList } from "#features/books/lists/search-list.ts";
import { chooseName, forgetName } from "#features/books/names/choose-name.ts";
import * as contract from "#features/books/names/contract.ts";
import { createCustomer } from "#features/books/names/create-customer.ts";
import { listNameChoices } from "#features/books/names/store.ts";
import type { Call, Mount } from "#platform/http/mount.ts";

export function namesRoutes(mount: Mount<Caller>, ctx: BooksCtx): void {
  const realmFrom = (call: Call<Caller>) => currentCompany(call).realmId;

  mount(contract.searchList, async ({ params, query }, call) => ({
    entries: await searchList(ctx, realmFrom(call), { kind: params.kind, text: query.q }),
  }));

  mount(contract.listNameChoices, async (_input, call) => ({
    names: await listNameChoices(ctx.db, realmFrom(call)),
  }));

  mount(contract.chooseName, async ({ body }, call) => {
    const who = { realmId: realmFrom(call), by: currentUser(call).email };
    return chooseName(withAudit(ctx, call), who, body);
  });

  mount(contract.forgetName, ({ query }, call) => forgetName(withAudit(ctx, call), realmFrom(call), query));

  mount(contract.createCustomer, async ({ body }, call) =>
    createCustomer(withAudit(ctx, call), realmFrom(call), body.name),
  );
}
