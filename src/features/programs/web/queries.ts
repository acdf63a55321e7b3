import { listKeys } from "#features/programs/api-keys/contract.ts";
import { listWebhooks, type WebhookMessage } from "#features/programs/webhooks/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { queryOptions } from "@tanstack/react-query";

/** API keys of a company, revoked ones too. */
export const keysQuery = (realmId: string) =>
  queryOptions({
    queryKey: queryKeys.apiKeys(realmId),
    queryFn: ({ signal }) => call(listKeys, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
  });

/** A message that was just queued is sent within seconds. */
const POLL_MS = 1_000;
const isBeingSent = ({ state, attempts }: WebhookMessage) => state === "queued" && attempts === 0;

/** Webhooks of a company, and the last messages to them. */
export const webhooksQuery = (realmId: string) =>
  queryOptions({
    queryKey: queryKeys.webhooks(realmId),
    queryFn: ({ signal }) => call(listWebhooks, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.messages.some(isBeingSent) ? POLL_MS : false),
  });
