import { listSubscriptions } from "#features/billing/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { queryOptions } from "@tanstack/react-query";

/** Polling interval in ms; changes at Stripe arrive with a delay. */
const LOOK_EVERY_MS = 5_000;

/** Services that a company can pay for. */
export const subscriptionsQuery = (realmId: string) =>
  queryOptions({
    queryKey: queryKeys.subscriptions(realmId),
    queryFn: ({ signal }) => call(listSubscriptions, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
    refetchInterval: LOOK_EVERY_MS,
  });
