import { sessionStore } from "#web/kit/storage.ts";

const storageKey = (subscriptionId: string) => `paidFor.${subscriptionId}`;

/**
 * Remembers the company this tab pays for, by subscription. Stripe returns the browser to a new
 * page, and another tab may have changed the current company by then.
 */
export const payingCompany = {
  save: (subscriptionId: string, realmId: string) =>
    void sessionStore.set(storageKey(subscriptionId), realmId),
  read: (subscriptionId: string): string | null => sessionStore.get(storageKey(subscriptionId)),
};
