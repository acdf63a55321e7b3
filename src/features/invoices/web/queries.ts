import {
  listUploadResults,
  listUploads,
  type ResultFilter,
  type UploadList,
  type UploadSummary,
} from "#features/invoices/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { infiniteQueryOptions, keepPreviousData, type Query, queryOptions } from "@tanstack/react-query";

/** Milliseconds between two looks at the list while something is in process. */
export const POLL_MS = 2000;

/** How many uploads are shown at first; whoever asks for as many shares one answer. */
export const PAGE_SIZE = 20;

/** How many more are shown at a time. */
const OLDER_PAGE_SIZE = 100;

type UploadsQuery = Query<UploadList, Error, UploadList, readonly unknown[]>;

/** The latest uploads of a company; looked at again every two seconds while one is in process. */
export function uploadsQuery(realmId: string | null, limit: number) {
  const inProcess = ({ state }: UploadsQuery) => state.data?.in_process === true;
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "list", limit] as const,
    queryFn: ({ signal }) => call(listUploads, { query: { realm_id: realmId ?? "", limit }, signal }),
    enabled: realmId !== null,
    refetchInterval: (query: UploadsQuery) => (inProcess(query) ? POLL_MS : false),
    // A hidden tab does not look; shown again it must not wait for the next two seconds.
    refetchOnWindowFocus: (query: UploadsQuery) => (inProcess(query) ? "always" : false),
    placeholderData: keepPreviousData,
  });
}

/** Where the first page of a list ended: the last upload on it, and how many there are behind. */
export type OlderUploads = { before: string; count: number };

/** The uploads behind the first page, page by page without end; looked at again as the first one is. */
export function olderUploadsQuery(realmId: string, { before, count }: OlderUploads) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.invoices(realmId), "older", before] as const,
    queryFn: ({ signal, pageParam }) =>
      call(listUploads, {
        query: { realm_id: realmId, limit: OLDER_PAGE_SIZE, before: pageParam },
        signal,
      }),
    initialPageParam: before,
    getNextPageParam: (last, pages) =>
      pages.flatMap(({ uploads }) => uploads).length < count ? last.uploads.at(-1)?.id : undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ in_process }) => in_process) ? POLL_MS : false,
  });
}

/** Every row of one upload that passes the filter; asked again whenever the upload's counts have moved. */
export function uploadResultsQuery(realmId: string, upload: UploadSummary, filter: ResultFilter) {
  const { completed, problems, skipped, open } = upload.counts;
  return queryOptions({
    queryKey: [
      ...queryKeys.invoices(realmId),
      "results",
      upload.id,
      filter,
      completed,
      problems,
      skipped,
      open,
    ] as const,
    queryFn: ({ signal }) =>
      call(listUploadResults, {
        params: { upload_id: upload.id },
        query: { realm_id: realmId, filter },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
