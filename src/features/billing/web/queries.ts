import { listSubscriptions } from "#features/billing/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { queryOptions } from "@tanstack/react-query";

/** What a company can pay for. Payments made elsewhere show when the page is opened again. */
export const subscriptionsQuery = (realmId: string) =>
  queryOptions({
    queryKey: queryKeys.subscriptions(realmId),
    queryFn: ({ signal }) => call(listSubscriptions, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
  });
