import { currentCompany, findTimeZone, withAudit, type Caller } from "#features/companies/index.ts";
import type { OrdersCtx } from "#features/orders/ctx.ts";
import * as contract from "#features/orders/notices-out/contract.ts";
import { downloadNotices } from "#features/orders/notices-out/deliver-notices.ts";
import { readNotices } from "#features/orders/notices-out/list-notices.ts";
import {
  readMessages,
  readOrderDocuments,
  rejectByUser,
  sendAgain,
} from "#features/orders/notices-out/order-documents.ts";
import { changeNoticeSettings, readNoticeSettings } from "#features/orders/notices-out/settings.ts";
import { attachment } from "#platform/http/attachment.ts";
import type { Mount } from "#platform/http/mount.ts";

export function noticesRoutes(mount: Mount<Caller>, ctx: OrdersCtx): void {
  mount(contract.listNotices, async ({ query }, call) => ({
    notices: await readNotices(ctx, currentCompany(call).realmId, query),
  }));

  mount(contract.downloadNotices, async ({ body }, call) => {
    const { bytes, isXml } = await downloadNotices(
      withAudit(ctx, call),
      currentCompany(call).realmId,
      body.ids,
    );
    return call.reply
      .type(isXml ? "application/xml" : contract.X12)
      .header(
        "Content-Disposition",
        isXml ? attachment("notices.xml", "notices.xml") : attachment("notices.edi", "notices.edi"),
      )
      .send(bytes);
  });

  mount(contract.listOrderDocuments, ({ query }, call) =>
    readOrderDocuments(ctx, currentCompany(call).realmId, query.order_id),
  );

  mount(contract.listRetailerMessages, async ({ query }, call) => ({
    messages: await readMessages(ctx, currentCompany(call).realmId, query.limit),
  }));

  mount(contract.sendInvoiceAgain, ({ body }, call) =>
    sendAgain(withAudit(ctx, call), currentCompany(call).realmId, body.id),
  );

  mount(contract.rejectInvoice, ({ body }, call) =>
    rejectByUser(withAudit(ctx, call), currentCompany(call).realmId, body.id),
  );

  mount(contract.readNoticeSettings, async (_input, call) => {
    const { realmId } = currentCompany(call);
    const settings = await readNoticeSettings(ctx.db, realmId);
    return { ...settings, time_zone: await findTimeZone(ctx.db, realmId) };
  });

  mount(contract.changeNoticeSettings, ({ body }, call) =>
    changeNoticeSettings(withAudit(ctx, call), currentCompany(call).realmId, body),
  );
}
