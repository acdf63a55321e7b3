import { readDays, readOverview, searchAll } from "#features/admin/contract.ts";
import { ADMIN_KEY } from "#features/admin/web/keys.ts";
import { showHealth } from "#features/health/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

/** How many rows of each list need an operator or a customer. */
export const overviewQuery = () =>
  queryOptions({
    queryKey: [ADMIN_KEY, "overview"],
    queryFn: ({ signal }) => call(readOverview, { signal }),
    staleTime: 30_000,
  });

/** Figures of each day. @param starts when each begins */
export const daysQuery = (starts: readonly Date[]) =>
  queryOptions({
    queryKey: [ADMIN_KEY, "days", starts[0]?.getTime()],
    queryFn: ({ signal }) =>
      call(readDays, { query: { starts: starts.map((start) => start.getTime()).join(",") }, signal }),
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
