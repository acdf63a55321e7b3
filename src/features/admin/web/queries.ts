import { readOverview, searchAll } from "#features/admin/contract.ts";
import { ADMIN_KEY } from "#features/admin/web/keys.ts";
import { showHealth } from "#features/health/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

/** Figures since the local midnight, and how many rows of each list need an operator. */
export const overviewQuery = () =>
  queryOptions({
    queryKey: [ADMIN_KEY, "overview"],
    queryFn: ({ signal }) =>
      call(readOverview, {
        query: { since: new Date(new Date().setHours(0, 0, 0, 0)).toISOString() },
        signal,
      }),
    staleTime: 30_000,
  });

export const healthQuery = () =>
  queryOptions({
    queryKey: [ADMIN_KEY, "health"],
    queryFn: ({ signal }) => call(showHealth, { signal }),
    staleTime: 0,
  });

export const findQuery = (text: string) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "find", text],
    queryFn: ({ signal }) => call(searchAll, { query: { text }, signal }),
    enabled: text.length >= 2,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
