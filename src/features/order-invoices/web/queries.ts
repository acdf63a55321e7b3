import {
  listThreads,
  readThread,
  searchMatches,
  type MatchKind,
  type ThreadFilter,
} from "#features/order-invoices/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
} from "@tanstack/react-query";

export const PAGE_SIZE = 25;
/** Maximum number of orders that one click can post. */
const MAX_POSTED = 200;

/** Fallback polling: the server announces changes, but a browser may miss one. */
const IDLE_MS = 60_000;
const POSTING_MS = 2_000;

/** Key prefix of every query on the page. */
export const threadsKey = (realmId: string) => [...queryKeys.orders(realmId), "threads"] as const;

type ThreadQuery = { show: ThreadFilter; search: string };

const threadsQuery = (realmId: string, { show, search }: ThreadQuery) =>
  infiniteQueryOptions({
    queryKey: [...threadsKey(realmId), "list", show, search] as const,
    queryFn: ({ signal, pageParam: offset }) =>
      call(listThreads, { query: { show, search, offset, limit: PAGE_SIZE }, signal, realmId }),
    initialPageParam: 0,
    getNextPageParam: ({ total_count: total }, pages) =>
      pages.length * PAGE_SIZE < total ? pages.length * PAGE_SIZE : null,
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.pages[0]?.posting ?? 0) > 0 ? POSTING_MS : IDLE_MS),
  });

/** Keeps the listed orders until the next ones are loaded. */
export const useThreads = (realmId: string, asked: ThreadQuery) =>
  useInfiniteQuery({ ...threadsQuery(realmId, asked), placeholderData: keepPreviousData });

/** Orders that can be posted, on any page of the list. */
export const readyQuery = (realmId: string, search: string) =>
  queryOptions({
    queryKey: [...threadsKey(realmId), "ready", search] as const,
    queryFn: ({ signal }) =>
      call(listThreads, { query: { show: "ready", search, limit: MAX_POSTED }, signal, realmId }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

export const threadQuery = (realmId: string, orderId: string) =>
  queryOptions({
    queryKey: [...threadsKey(realmId), "order", orderId] as const,
    queryFn: ({ signal }) => call(readThread, { query: { order_id: orderId }, signal, realmId }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data?.invoices.some(({ state }) => state === "posting") ? POSTING_MS : IDLE_MS,
  });

/** Entries in the books whose names contain a text. */
export const matchesQuery = (realmId: string, kind: MatchKind, q: string) =>
  queryOptions({
    queryKey: [...threadsKey(realmId), "matches", kind, q] as const,
    queryFn: ({ signal }) => call(searchMatches, { params: { kind }, query: { q }, signal, realmId }),
    placeholderData: keepPreviousData,
  });
