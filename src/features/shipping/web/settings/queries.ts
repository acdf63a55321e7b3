import { readCarrierSettings } from "#features/shipping/contract.ts";
import { readNoticeSettings } from "#features/orders/notices-out/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { queryOptions } from "@tanstack/react-query";

export const carrierSettingsQuery = (realmId: string) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "carrier-settings"] as const,
    queryFn: ({ signal }) => call(readCarrierSettings, { signal, realmId }),
  });

export const noticeSettingsQuery = (realmId: string) =>
  queryOptions({
    queryKey: [...queryKeys.labels(realmId), "notice-settings"] as const,
    queryFn: ({ signal }) => call(readNoticeSettings, { signal, realmId }),
  });
