import { forgetName, listNameChoices, searchList, type ListKind } from "#features/books/names/contract.ts";
import { listUnknownNames } from "#features/invoices/contract.ts";
import type { Remembered } from "#features/sheets/web/index.ts";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";

/** Whether a problem of this code is about a name that the books do not have. */
export function hasUnknownNames(code: string): boolean {
  return /_(unknown|ambiguous|inactive)$/.test(code);
}

/** Names of an upload, or of a version of a check, that the books do not have, page by page. */
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

/** Entries of one of the company's lists whose name holds `text`. */
export function listSearchQuery(asked: { realmId: string; kind: ListKind; text: string }) {
  const { realmId, kind, text } = asked;
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "search", kind, text] as const,
    queryFn: ({ signal }) =>
      call(searchList, { params: { kind }, query: { realm_id: realmId, q: text }, signal }),
    enabled: text !== "",
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** Names that people of the company said the meaning of. */
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
