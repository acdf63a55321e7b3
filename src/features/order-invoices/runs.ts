import { auditBy } from "#features/audit/index.ts";
import type { OrderInvoicesCtx } from "#features/order-invoices/ctx.ts";
import { postOrderInvoices } from "#features/order-invoices/post-invoices.ts";
import { refreshDrafts } from "#features/order-invoices/refresh-drafts.ts";
import { settleInvoices } from "#features/order-invoices/settle-invoices.ts";
import { listCompaniesToPass, listToPost, listUndrafted } from "#features/order-invoices/store.ts";
import { AppError } from "#platform/errors.ts";
import { bindRun, defineRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";

const settleRun = defineRun({
  kind: "order-invoices.settle",
  lane: () => "order-invoices:settle",
  every: "minute",
});

export const orderInvoiceRuns = (ctx: OrderInvoicesCtx): BoundRun[] => [bindRun(settleRun, passOn, ctx)];

const BATCH_SIZE = 200;

/** Passes over the companies, each for itself: what fails in one, and what waits there, keeps none of the others. */
async function passOn(ctx: OrderInvoicesCtx, { run, stop }: RunWork): Promise<Ending> {
  for (const realmId of await listCompaniesToPass(ctx.db)) {
    if (stop.aborted) return { state: "queued" };
    try {
      await passCompany(ctx, realmId);
    } catch (error) {
      const level = error instanceof AppError ? "warn" : "error";
      ctx.log[level]({ err: error, realm: realmId }, "A company's invoices of orders wait");
    }
    run.noteProgress?.();
  }
  return { state: "done" };
}

/** Records what became of posted invoices, drafts what was shipped, and posts without a click where the company wants that. */
async function passCompany(ctx: OrderInvoicesCtx, realmId: string): Promise<void> {
  await settleInvoices(ctx, realmId);
  await refreshDrafts(ctx, realmId, await listUndrafted(ctx.db, realmId, BATCH_SIZE));
  for (const { order_ids: orderIds, changed_by: name } of await listToPost(ctx.db, realmId)) {
    const requestId = `orders ${ctx.ids.uuid()}`;
    const audited = { ...ctx, ...auditBy(ctx, { userId: null, realmId, requestId }) };
    await postOrderInvoices(audited, { realmId, orderIds, by: { id: null, name }, isAutomatic: true });
  }
}
