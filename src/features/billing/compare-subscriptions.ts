import type { BillingCtx } from "#features/billing/ctx.ts";
import { findAccount } from "#features/billing/store-accounts.ts";
import { listStored } from "#features/billing/store.ts";

/** Ended subscriptions are history: it doesn't matter which side still lists them. */
const isOpen = ({ status }: { status: string }) => !["canceled", "incomplete_expired"].includes(status);

/** Compares a company's subscriptions with Stripe's in one call. Read-only. */
export async function compareSubscriptions({ db, payments }: BillingCtx, realmId: string) {
  if (!payments) return null;
  const account = await findAccount(db, realmId);
  if (!account?.customer_id) return null;
  const theirs = (await payments.listSubscriptions(account.customer_id)).filter(
    (subscription) => subscription.realmId === realmId && subscription.isLive === payments.isLive,
  );
  const ours = (await listStored(db, realmId)).filter(({ account_id: id }) => id === account.id);
  const known = new Map(ours.map((subscription) => [subscription.id, subscription]));
  return {
    subjects: null,
    differences: [
      ...theirs.flatMap(({ id, status, service }) => {
        const stored = known.get(id);
        const params = { service: service ?? "", ours: stored?.status ?? "", theirs: status };
        if (!stored) return isOpen({ status }) ? [{ subject: id, code: "unknown_at_stripe", params }] : [];
        return stored.status === status ? [] : [{ subject: id, code: "status_at_stripe", params }];
      }),
      ...ours
        .filter((subscription) => isOpen(subscription) && !theirs.some(({ id }) => id === subscription.id))
        .map(({ id, service }) => ({ subject: id, code: "gone_at_stripe", params: { service } })),
    ],
  };
}
