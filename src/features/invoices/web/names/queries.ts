import { forgetName, listNameChoices, searchList, type ListKind } from "#features/books/names/contract.ts";
import { listUnknownNames } from "#features/invoices/contract.ts";
import {
  chooseColumns,
  chooseDateOrder,
  listColumnChoices,
  readDateOrder,
} from "#features/invoices/workbook/contract.ts";
import type { Remembered } from "#features/invoices/web/names/remembered-table.tsx";
import { namesWords as words } from "#features/invoices/web/names/words.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";

/** Whether a problem of this code is about a name that the books do not have. */
export function hasUnknownNames(code: string): boolean {
  return /_(unknown|ambiguous|inactive)$/.test(code);
}

/** Names of an upload or a check that the books do not have, page by page. */
export function unknownNamesQuery(realmId: string, uploadId: string) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.invoices(realmId), "unknown-names", uploadId] as const,
    queryFn: ({ signal, pageParam }) =>
      call(listUnknownNames, {
        params: { upload_id: uploadId },
        query: { realm_id: realmId, after: pageParam },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
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

/** Columns that people of the company said the meaning of. */
export function rememberedColumnsQuery(realmId: string) {
  return {
    queryKey: [...queryKeys.invoices(realmId), "columns"] as const,
    queryFn: async (): Promise<Remembered[]> => {
      const { columns } = await call(listColumnChoices, { query: { realm_id: realmId } });
      return columns.map(({ header, means }) => ({
        key: header,
        text: header,
        meaning: [means ?? words.leftOut],
        forget: () =>
          call(chooseColumns, { query: { realm_id: realmId }, body: { columns: [{ header, field: "" }] } }),
      }));
    },
  };
}

/** How people of the company said its dates are written, in one row. */
export function rememberedDatesQuery(realmId: string) {
  const query = { realm_id: realmId };
  return {
    queryKey: [...queryKeys.invoices(realmId), "date-order"] as const,
    queryFn: async (): Promise<Remembered[]> => {
      const { order } = await call(readDateOrder, { query });
      if (order === null) return [];
      const forget = () => call(chooseDateOrder, { query, body: { order: null } });
      return [{ key: order, text: words.dates, meaning: [words.dateOrders[order]], forget }];
    },
  };
}
