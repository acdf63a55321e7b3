import { listShipments } from "#features/shipping/contract.ts";
import { shipmentsKey } from "#features/shipping/web/shipment/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { infiniteQueryOptions } from "@tanstack/react-query";

export const PAGE_SIZE = 50;

export const HISTORY_FILTERS = ["all", "unscanned", "voided"] as const;
export type HistoryFilter = (typeof HISTORY_FILTERS)[number];

/** UPS labels that were made, newest first, page by page. */
export function shipmentsQuery(realmId: string, { show, search }: { show: HistoryFilter; search: string }) {
  return infiniteQueryOptions({
    queryKey: [...shipmentsKey(realmId), show, search] as const,
    queryFn: ({ signal, pageParam }) =>
      call(listShipments, {
        query: {
          limit: PAGE_SIZE,
          show,
          ...(pageParam === null ? {} : { before: pageParam }),
          ...(search === "" ? {} : { q: search }),
        },
        signal,
        realmId,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
}
