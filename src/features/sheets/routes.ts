import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import { chooseColumns, readColumns } from "#features/sheets/choose-columns.ts";
import { chooseDateOrder } from "#features/sheets/choose-date-order.ts";
import type { SheetEndpoints } from "#features/sheets/contract.ts";
import type { SheetsCtx } from "#features/sheets/ctx.ts";
import { findDateOrder, listColumnChoices } from "#features/sheets/store.ts";
import type { SheetKind } from "#formats/table/define-sheet.ts";
import type { Call, Mount } from "#platform/http/mount.ts";

/** @param of.module of a thread, whose `run` is `inspectColumns` of this kind of sheet */
export function sheetRoutes(
  mount: Mount<Caller>,
  ctx: SheetsCtx,
  { endpoints, sheet, module }: { endpoints: SheetEndpoints; sheet: SheetKind; module: URL },
): void {
  const realmOf = (call: Call<Caller>) => currentCompany(call).realmId;
  const whoOf = (call: Call<Caller>) => ({ realmId: realmOf(call), by: currentUser(call).email });

  mount(endpoints.readColumns, async ({ file }, call) =>
    readColumns(ctx, realmOf(call), { file, sheet, module }),
  );

  mount(endpoints.listColumnChoices, async (_input, call) => ({
    columns: await listColumnChoices(ctx.db, realmOf(call), sheet),
  }));

  mount(endpoints.chooseColumns, ({ body }, call) =>
    chooseColumns(withAudit(ctx, call), whoOf(call), { sheet, columns: body.columns }),
  );

  mount(endpoints.readDateOrder, async (_input, call) => ({
    order: await findDateOrder(ctx.db, { realmId: realmOf(call), kind: sheet.kind }),
  }));

  mount(endpoints.chooseDateOrder, ({ body }, call) =>
    chooseDateOrder(withAudit(ctx, call), whoOf(call), { sheet, order: body.order }),
  );
}
