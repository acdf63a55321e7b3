import {
  listNameChoices,
  listUnknownNames,
  type ListKind,
  searchList,
} from "#features/invoices/choices/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

/** Whether a problem of this code is about a name that the books do not have. */
export function hasUnknownNames(code: string): boolean {
  return /_(unknown|ambiguous|inactive)$/.test(code);
}

/** Names of an upload or a check that the books do not have. */
export function unknownNamesQuery(realmId: string, uploadId: string) {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "unknown-names", uploadId] as const,
    queryFn: ({ signal }) =>
      call(listUnknownNames, { params: { upload_id: uploadId }, query: { realm_id: realmId }, signal }),
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

/** Names that people of the company confirmed. */
export function rememberedNamesQuery(realmId: string) {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "names"] as const,
    queryFn: ({ signal }) => call(listNameChoices, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
  });
}
