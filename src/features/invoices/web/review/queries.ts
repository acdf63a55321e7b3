import {
  listCheckErrors,
  listCheckInvoices,
  readCheckInvoice,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";

type Of = Pick<UploadCheck, "id" | "revision">;

const keyOf = (realmId: string, what: string, { id, revision }: Of) =>
  [...queryKeys.invoices(realmId), what, id, revision] as const;

/** Every invoice of a check; read again whenever the check was repeated, the earlier ones shown meanwhile. */
export const reviewInvoicesQuery = (realmId: string, check: Of) =>
  queryOptions({
    queryKey: keyOf(realmId, "review", check),
    queryFn: ({ signal }) =>
      call(listCheckInvoices, { params: { upload_id: check.id }, query: { realm_id: realmId }, signal }),
    placeholderData: keepPreviousData,
  });

/** The lines and the problems of one of them. */
export const reviewInvoiceQuery = (realmId: string, check: Of, seq: number) =>
  queryOptions({
    queryKey: [...keyOf(realmId, "review-invoice", check), seq] as const,
    queryFn: ({ signal }) =>
      call(readCheckInvoice, { params: { upload_id: check.id, seq }, query: { realm_id: realmId }, signal }),
  });

/** The cells that keep invoices from being posted, page by page. */
export const reviewErrorsQuery = (realmId: string, check: Of) =>
  infiniteQueryOptions({
    queryKey: keyOf(realmId, "review-errors", check),
    queryFn: ({ signal, pageParam }) =>
      call(listCheckErrors, {
        params: { upload_id: check.id },
        query: { realm_id: realmId, after: pageParam },
        signal,
      }),
    initialPageParam: -1,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
