import { sessionStore } from "#web/kit/storage.ts";

const storageKey = (subscriptionId: string) => `paidFor.${subscriptionId}`;

/**
 * Which company this tab pays for with a subscription. Stripe sends the browser back to a new page, and until then another
 * tab may have made another company current.
 */
export const paidFor = {
  keep: (subscriptionId: string, realmId: string) =>
    void sessionStore.set(storageKey(subscriptionId), realmId),
  read: (subscriptionId: string): string | null => sessionStore.get(storageKey(subscriptionId)),
};
