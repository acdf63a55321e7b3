import type { SubscriptionView } from "#integrations/stripe/client.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { liveSubscriptions } from "#features/billing/rules.ts";
import { listStoredFor } from "#features/billing/store.ts";
import { changeSubscription, syncSubscription } from "#features/billing/sync-subscription.ts";
import type { StoredSubscription } from "#features/billing/tables.ts";

/**
 * Ends all live subscriptions of a service except one, to prevent double charges, and reports each
 * as an error: a human must refund its charges.
 */
export async function endSurplus(
  ctx: PaidCtx,
  { realm_id: realmId, service }: StoredSubscription,
): Promise<void> {
  const listLive = async () => liveSubscriptions(await listStoredFor(ctx.db, realmId, service));
  if ((await listLive()).length < 2) return;
  await ctx.turns.holdPayments(realmId, async () => {
    // The one that would be kept may have ended at Stripe, by an event that is not read yet.
    const views = new Map<string, SubscriptionView>();
    for (const { id } of await listLive()) {
      const synced = await syncSubscription(ctx, id, "payment");
      if (synced) views.set(id, synced.view);
    }
    const [kept, ...surplus] = await listLive();
    for (const { id } of surplus) {
      const view = views.get(id);
      if (!view) continue;
      ctx.log.error(
        { subscription: id, kept: kept?.id, realm: realmId, service },
        "A company has a second subscription of a service: it is ended, and what it charged is to be refunded",
      );
      await changeSubscription(ctx, id, () => ctx.payments.endUnpaid(view));
    }
  });
}
