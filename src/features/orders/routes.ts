import {
  currentCompany,
  currentActor,
  currentUser,
  withAudit,
  type Caller,
} from "#features/companies/index.ts";
import { takeOrders as takeOrdersContract } from "#features/orders/api/contract.ts";
import { takeOrders } from "#features/orders/api/take-orders.ts";
import { confirmShipped, correctAddress, decideOrder, restoreOrder } from "#features/orders/change-order.ts";
import * as contract from "#features/orders/contract.ts";
import type { FoldersCtx } from "#features/orders/ctx.ts";
import { folderRoutes } from "#features/orders/folders/routes.ts";
import { addOrders } from "#features/orders/intake/add-orders.ts";
import { noticesRoutes } from "#features/orders/notices-out/routes.ts";
import { orderSheet } from "#features/orders/sheet.ts";
import { sheetRoutes } from "#features/sheets/index.ts";
import type { Mount } from "#platform/http/mount.ts";

export function ordersRoutes(mount: Mount<Caller>, ctx: FoldersCtx): void {
  mount(contract.addOrders, ({ file, body: { cells } }, call) => {
    const { realmId } = currentCompany(call);
    return addOrders(
      withAudit(ctx, call),
      { realmId, channel: "file", by: currentUser(call).email, cells },
      file,
    );
  });

  noticesRoutes(mount, ctx);
  folderRoutes(mount, ctx);

  mount(contract.restoreOrder, ({ body }, call) =>
    restoreOrder(withAudit(ctx, call), currentCompany(call).realmId, body.order_id),
  );

  mount(contract.correctAddress, ({ body }, call) =>
    correctAddress(withAudit(ctx, call), currentCompany(call).realmId, {
      id: body.order_id,
      shipTo: body.ship_to,
    }),
  );

  sheetRoutes(mount, ctx, {
    endpoints: contract,
    sheet: orderSheet,
    module: new URL("./intake/inspect-columns.ts", import.meta.url),
  });

  mount(contract.decideOrder, ({ body: { order_id: id, choice, received_at: receivedAt } }, call) => {
    const { realmId } = currentCompany(call);
    const audited = withAudit(ctx, call);
    if (choice === "shipped") return confirmShipped(audited, realmId, id);
    return decideOrder(audited, realmId, { id, choice, receivedAt });
  });

  mount(takeOrdersContract, ({ body }, call) => {
    const { realmId } = currentCompany(call);
    const bytes = call.request.bytes?.() ?? Buffer.alloc(0);
    return takeOrders(withAudit(ctx, call), { realmId, by: currentActor(call).name, bytes }, body);
  });
}
