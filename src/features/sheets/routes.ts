import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import {
  type AskedColumns,
  chooseColumns,
  readColumns,
  chooseDateOrder,
} from "#features/sheets/save-choices.ts";
import type { SheetEndpoints } from "#features/sheets/contract.ts";
import type { SheetsCtx } from "#features/sheets/ctx.ts";
import { findDateOrder, listColumnChoices } from "#features/sheets/store.ts";
import type { Call, Mount } from "#platform/http/mount.ts";

type SheetRoutes = Pick<AskedColumns, "sheet" | "module" | "listNames"> & { endpoints: SheetEndpoints };

export function sheetRoutes(
  mount: Mount<Caller>,
  ctx: SheetsCtx,
  { endpoints, sheet, module, listNames }: SheetRoutes,
): void {
  const chooser = (call: Call<Caller>) => ({
    realmId: currentCompany(call).realmId,
    by: currentUser(call).email,
  });

  mount(endpoints.readColumns, async ({ file, body }, call) =>
    readColumns(ctx, currentCompany(call).realmId, { file, draft: body, sheet, module, listNames }),
  );

  mount(endpoints.listColumnChoices, (_input, call) =>
    listColumnChoices(ctx.db, currentCompany(call).realmId, sheet),
  );

  mount(endpoints.chooseColumns, ({ body }, call) =>
    chooseColumns(withAudit(ctx, call), chooser(call), { sheet, ...body }),
  );

  mount(endpoints.readDateOrder, async (_input, call) => ({
    order: await findDateOrder(ctx.db, { realmId: currentCompany(call).realmId, kind: sheet.kind }),
  }));

  mount(endpoints.chooseDateOrder, ({ body }, call) =>
    chooseDateOrder(withAudit(ctx, call), chooser(call), { sheet, order: body.order }),
  );
}
