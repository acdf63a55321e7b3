import { listTracked, readTracked, readTracking, type Shown } from "#features/tracking/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
} from "@tanstack/react-query";

export const PAGE_SIZE = 50;

/** Changes are announced by the server; this is for browsers that miss them. */
const IDLE_MS = 60_000;
/** While packages are polled for the first time. */
const PROGRESS_MS = 3_000;

/** How a company's packages are followed. */
export const trackingQuery = (realmId: string) =>
  queryOptions({
    queryKey: [...queryKeys.tracking(realmId), "state"] as const,
    queryFn: ({ signal }) => call(readTracking, { query: { realm_id: realmId }, signal, realmId }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.progress ? PROGRESS_MS : IDLE_MS),
  });

type ListFilter = { show: Shown; day: string | null; search: string };

/** Invoices with packages, the newest scan first, page by page. */
export const trackedQuery = (realmId: string, { show, day, search }: ListFilter) =>
  infiniteQueryOptions({
    queryKey: [...queryKeys.tracking(realmId), "list", show, day, search] as const,
    queryFn: ({ signal, pageParam }) =>
      call(listTracked, {
        query: {
          realm_id: realmId,
          show,
          ...(day === null ? {} : { day }),
          ...(pageParam === null ? {} : { after: pageParam }),
          ...(search === "" ? {} : { q: search }),
        },
        signal,
        realmId,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });

/** Keeps the listed invoices until the next ones are loaded. */
export const useTracked = (realmId: string, asked: ListFilter & { isRead: boolean }) =>
  useInfiniteQuery({
    ...trackedQuery(realmId, asked),
    enabled: asked.isRead,
    placeholderData: keepPreviousData,
  });

/** One invoice with its packages. */
export const trackedInvoiceQuery = (realmId: string, invoiceId: string) =>
  queryOptions({
    queryKey: [...queryKeys.tracking(realmId), "invoice", invoiceId] as const,
    queryFn: ({ signal }) =>
      call(readTracked, {
        query: { realm_id: realmId },
        params: { invoice_id: invoiceId },
        signal,
        realmId,
      }),
    staleTime: 0,
  });
