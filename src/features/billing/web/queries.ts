import { listSubscriptions, readPayer } from "#features/billing/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { queryOptions } from "@tanstack/react-query";

/** Polling interval in ms; changes at Stripe arrive with a delay. */
const LOOK_EVERY_MS = 5_000;

/** Services that a company can pay for, and who pays. */
export const subscriptionsQuery = (realmId: string) =>
  queryOptions({
    queryKey: queryKeys.subscriptions(realmId),
    queryFn: async ({ signal }) => {
      const about = { query: { realm_id: realmId }, signal };
      const [subscriptions, payer] = await Promise.all([
        call(listSubscriptions, about),
        call(readPayer, about),
      ]);
      return { subscriptions, ...payer };
    },
    staleTime: 0,
    refetchInterval: LOOK_EVERY_MS,
  });
