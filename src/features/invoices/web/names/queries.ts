import { forgetName, type ListKind, listNameChoices, searchList } from "#features/books/names/contract.ts";
import { listUnknownNames } from "#features/invoices/contract.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import type { Remembered } from "#features/sheets/web/remembered.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";

/** True for a problem code about a name that QuickBooks does not have. */
export function hasUnknownNames(code: string): boolean {
  return /_(unknown|ambiguous|inactive)$/.test(code);
}

/** Unknown names of an upload or of a revision of a check, page by page. */
export function unknownNamesQuery(realmId: string, uploadId: string, version: number) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.invoices(realmId), "unknown-names", uploadId, version] as const,
    queryFn: ({ signal, pageParam }) =>
      call(listUnknownNames, {
        params: { upload_id: uploadId },
        query: { realm_id: realmId, after: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

/** Entries of one of the company's lists whose name contains `text`. */
export function listSearchQuery({ realmId, kind, text }: { realmId: string; kind: ListKind; text: string }) {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "search", kind, text] as const,
    queryFn: ({ signal }) =>
      call(searchList, { params: { kind }, query: { realm_id: realmId, q: text }, signal }),
    enabled: text !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** Matches saved by users of the company. */
export function rememberedNamesQuery(realmId: string) {
  return {
    queryKey: [...queryKeys.invoices(realmId), "names"] as const,
    queryFn: async (): Promise<Remembered[]> => {
      const { names } = await call(listNameChoices, { query: { realm_id: realmId } });
      return names.map(({ kind, text, target_name: target }) => ({
        key: `${kind} ${text}`,
        text,
        meaning: [words.kinds[kind], target],
        forget: () => call(forgetName, { query: { realm_id: realmId, kind, text } }),
      }));
    },
  };
}
