import { listUploadResults, listUploads, type ResultFilter } from "#features/invoices/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";

/**
 * Milliseconds between two looks at the list while something is in process, at a check or an undo that is at work, and
 * at one that waits for a connection.
 */
export const POLL_MS = { list: 2000, working: 1000, waiting: 5000 } as const;

/** How many uploads are shown at first; whoever asks for as many shares one answer. */
export const PAGE_SIZE = 20;

/** How many more are shown at a time. */
const OLDER_PAGE_SIZE = 100;

/** The latest uploads of a company; looked at again every two seconds while one is in process. */
export function uploadsQuery(realmId: string | null, limit: number, search = "") {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "list", limit, search] as const,
    queryFn: ({ signal }) =>
      call(listUploads, { query: { realm_id: realmId ?? "", limit, ...searched(search) }, signal }),
    enabled: realmId !== null,
    refetchInterval: ({ state }) => (state.data?.in_process ? POLL_MS.list : false),
    // A hidden tab does not look; shown again it must not wait for the next two seconds.
    refetchOnWindowFocus: ({ state }) => (state.data?.in_process ? "always" : false),
    placeholderData: keepPreviousData,
  });
}

const searched = (search: string) => (search === "" ? {} : { search });

/** Where the first page of a list, or of a search, ended: the last upload on it, and how many there are behind. */
export type OlderUploads = { before: string; count: number; search: string };

/** The uploads behind the first page, page by page without end; looked at again as the first one is. */
export function olderUploadsQuery(realmId: string, { before, count, search }: OlderUploads) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.invoices(realmId), "older", before, search] as const,
    queryFn: ({ signal, pageParam }) =>
      call(listUploads, {
        query: { realm_id: realmId, limit: OLDER_PAGE_SIZE, before: pageParam, ...searched(search) },
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
  /** Of an upload or a check. */
  id: string;
  /** Moves whenever the rows have: counts, or how often a check was repeated. */
  version: unknown;
  filter: ResultFilter;
};

/** Every row of an upload or a check that passes the filter. */
export function resultRowsQuery(realmId: string, { id, version, filter }: Rows) {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "results", id, filter, version] as const,
    queryFn: ({ signal }) =>
      call(listUploadResults, { params: { upload_id: id }, query: { realm_id: realmId, filter }, signal }),
    placeholderData: keepPreviousData,
  });
}
