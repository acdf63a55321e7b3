import { searchList } from "#features/books/index.ts";
import { currentCompany, currentUser, withAudit, type Caller } from "#features/companies/index.ts";
import { answerInvoice, changeSettings, chooseMatch } from "#features/order-invoices/answer-invoice.ts";
import * as contract from "#features/order-invoices/contract.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import { listThreads } from "#features/order-invoices/list-threads.ts";
import { postOrderInvoices } from "#features/order-invoices/post-invoices.ts";
import { readThread } from "#features/order-invoices/read-thread.ts";
import type { Call, Mount } from "#platform/http/mount.ts";

export function orderInvoicesRoutes(mount: Mount<Caller>, ctx: OrderInvoicesCtx): void {
  const companyIn = (call: Call<Caller>) => currentCompany(call).realmId;

  mount(contract.listThreads, ({ query }, call) => listThreads(ctx, companyIn(call), query));
  mount(contract.readThread, ({ query }, call) => readThread(ctx, companyIn(call), query.order_id));

  mount(contract.postOrderInvoices, async ({ body }, call) => {
    const { id, email: name } = currentUser(call);
    const { order_ids: orderIds, invoice_id: invoiceId } = body;
    const request = { realmId: companyIn(call), orderIds, invoiceId, by: { id, name } };
    const { posting, uploadId, leftOut } = await postOrderInvoices(withAudit(ctx, call), request);
    return {
      posting,
      upload_id: uploadId,
      left_out: leftOut.map(({ orderId, problem }) => ({ order_id: orderId, problem })),
    };
  });

  mount(contract.answerOrderInvoice, async ({ body }, call) => {
    await answerInvoice(withAudit(ctx, call), companyIn(call), { ...body, by: currentUser(call).email });
  });

  mount(contract.chooseMatch, ({ body: { partner, kind, written, target_id: targetId } }, call) => {
    const match = { partner, kind, written, targetId, by: currentUser(call).email };
    return chooseMatch(withAudit(ctx, call), companyIn(call), match);
  });

  mount(contract.searchMatches, async ({ params, query }, call) => ({
    entries: await searchList(ctx, companyIn(call), { kind: params.kind, text: query.q }),
  }));

  mount(contract.changeOrderInvoiceSettings, async ({ body }, call) => {
    const change = { postsWhenShipped: body.posts_when_shipped, by: currentUser(call).email };
    await changeSettings(withAudit(ctx, call), companyIn(call), change);
  });
}
