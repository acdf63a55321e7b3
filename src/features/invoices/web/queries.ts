import {
  countWaiting,
  listUploadResults,
  listUploads,
  type ResultFilter,
} from "#features/invoices/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";

/** Milliseconds between two polls: of a list with uploads in process, and of a check or an undo at work or waiting. */
export const POLL_MS = { list: 2000, working: 1000, waiting: 5000 } as const;

/** Number of uploads shown at first; queries of this length share one response. */
export const PAGE_SIZE = 20;

/** Number of uploads that "Show more" adds. */
const OLDER_PAGE_SIZE = 100;

/** Newest uploads of a company; polled while one is in process. */
export function uploadsQuery(realmId: string | null, limit: number, search = "") {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "list", limit, search] as const,
    queryFn: ({ signal }) =>
      call(listUploads, { query: { realm_id: realmId ?? "", limit, ...searchQuery(search) }, signal }),
    enabled: realmId !== null,
    refetchInterval: ({ state }) => (state.data?.in_process ? POLL_MS.list : false),
    placeholderData: keepPreviousData,
  });
}

/** Counts of what waits for a user in all uploads; read again when work on uploads ends. */
export const waitingQuery = (realmId: string, { isWorking }: { isWorking: boolean }) =>
  queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "waiting", isWorking] as const,
    queryFn: ({ signal }) => call(countWaiting, { query: { realm_id: realmId }, signal }),
    // Both keys share the answer, and what waits changes elsewhere too.
    staleTime: 0,
    refetchInterval: isWorking ? POLL_MS.list : false,
    placeholderData: keepPreviousData,
  });

const searchQuery = (search: string) => (search === "" ? {} : { search });

/** End of the first page of a list or a search: its last upload, and the number of older ones. */
export type OlderUploads = { before: string; count: number; search: string };

/** Uploads after the first page, page by page; polled like the first page. */
export function olderUploadsQuery(realmId: string, { before, count, search }: OlderUploads) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.invoices(realmId), "older", before, search] as const,
    queryFn: ({ signal, pageParam }) =>
      call(listUploads, {
        query: { realm_id: realmId, limit: OLDER_PAGE_SIZE, before: pageParam, ...searchQuery(search) },
        signal,
      }),
    initialPageParam: before,
    getNextPageParam: (last, pages) =>
      pages.flatMap(({ uploads }) => uploads).length < count ? last.uploads.at(-1)?.id : undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ in_process }) => in_process) ? POLL_MS.list : false,
  });
}

type Rows = {
  /** Id of an upload or a check. */
  id: string;
  /** Changes whenever the rows change: counts, or the revision of a check. */
  version: unknown;
  filter: ResultFilter;
};

/** All rows of an upload or a check that pass the filter. */
export function resultRowsQuery(realmId: string, { id, version, filter }: Rows) {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "results", id, filter, version] as const,
    queryFn: ({ signal }) =>
      call(listUploadResults, { params: { upload_id: id }, query: { realm_id: realmId, filter }, signal }),
    placeholderData: keepPreviousData,
  });
}
