import { auditBy } from "#features/audit/index.ts";
import { isReadingFailure } from "#features/books/index.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import { postOrderInvoices } from "#features/order-invoices/post-invoices.ts";
import { refreshDrafts } from "#features/order-invoices/refresh-drafts.ts";
import { settleInvoices } from "#features/order-invoices/settle-invoices.ts";
import { listToPost, listUndrafted, listUnsettled } from "#features/order-invoices/store.ts";
import { bindRun, defineRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";

const settleRun = defineRun({
  kind: "order-invoices.settle",
  lane: () => "order-invoices:settle",
  every: "minute",
});

export const orderInvoiceRuns = (ctx: OrderInvoicesCtx): BoundRun[] => [bindRun(settleRun, passOn, ctx)];

const BATCH_SIZE = 200;

/** Records what became of posted invoices, drafts what was shipped, and posts without a click where a company wants that. */
async function passOn(ctx: OrderInvoicesCtx, { stop }: RunWork): Promise<Ending> {
  const attempt = async (realmId: string, work: () => Promise<unknown>) => {
    if (stop.aborted) return;
    try {
      await work();
    } catch (error) {
      if (!isReadingFailure(error)) throw error;
      ctx.log.warn({ err: error, realm: realmId }, "QuickBooks could not be read for invoices of orders");
    }
  };
  const open = await listUnsettled(ctx.db, null);
  for (const realmId of new Set(open.map((invoice) => invoice.realm_id)))
    await attempt(realmId, () => settleInvoices(ctx, realmId));
  const undrafted = Map.groupBy(await listUndrafted(ctx.db, null, BATCH_SIZE), (invoice) => invoice.realm_id);
  for (const [realmId, orders] of undrafted)
    await attempt(realmId, () =>
      refreshDrafts(
        ctx,
        realmId,
        orders.map(({ id }) => id),
      ),
    );
  for (const { realm_id: realmId, order_ids: orderIds, changed_by: name } of await listToPost(ctx.db)) {
    const audited = {
      ...ctx,
      ...auditBy(ctx, { userId: null, realmId, requestId: `orders ${ctx.ids.uuid()}` }),
    };
    await attempt(realmId, () => postOrderInvoices(audited, { realmId, orderIds, by: { id: null, name } }));
  }
  return { state: "done" };
}
