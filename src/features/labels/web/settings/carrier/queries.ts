import { readCarrierSettings } from "#features/labels/carrier/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { queryOptions } from "@tanstack/react-query";

export const carrierSettingsQuery = (realmId: string) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "carrier-settings"] as const,
    queryFn: ({ signal }) => call(readCarrierSettings, { signal, realmId }),
  });
