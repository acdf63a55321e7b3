import type { Audited } from "#features/audit/index.ts";
import type { Company } from "#features/companies/index.ts";
import type { SubscriptionRow } from "#features/billing/contract.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { toAppError, unknownSubscription } from "#features/billing/errors.ts";
import { LAG_WAITS_MS } from "#features/billing/limits.ts";
import { readRow } from "#features/billing/list-subscriptions.ts";
import { findPrice, findSubscription } from "#features/billing/store.ts";
import { syncSubscription } from "#features/billing/sync-subscription.ts";

/**
 * Turns a service on when Stripe confirms that it is paid; idempotent. The browser's claim about
 * the payment is never used.
 * @throws AppError 404 for a subscription that is not this company's, 503 when Stripe does not answer
 */
export async function activateSubscription(
  ctx: PaidCtx & Audited,
  company: Company,
  subscriptionId: string,
): Promise<SubscriptionRow> {
  const known = await findSubscription(ctx.db, company.realmId, subscriptionId);
  const price = known && (await findPrice(ctx.db, known.price_id));
  if (!known || !price) throw unknownSubscription();
  try {
    const status = await settle(ctx, subscriptionId);
    if (status !== known.status)
      await ctx.audit(ctx.db, {
        action: "billing.activate",
        ids: { subscription: subscriptionId },
        before: { status: known.status },
        after: { status },
      });
    return await readRow(ctx, company.realmId, price);
  } catch (error) {
    throw toAppError(error);
  }
}

/** Waits for a subscription that lags behind its payment; later changes arrive as events. */
async function settle(ctx: PaidCtx, id: string): Promise<string> {
  for (const wait of [...LAG_WAITS_MS, null]) {
    const synced = await syncSubscription(ctx, id, "activation");
    if (!synced) throw unknownSubscription();
    const { status, invoice } = synced.view;
    const isLagging = status === "incomplete" && invoice?.intent?.status === "succeeded";
    if (!isLagging || wait === null) return status;
    await ctx.clock.sleep(wait);
  }
  throw unknownSubscription();
}
