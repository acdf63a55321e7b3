import {
  type allowDuplicates,
  listCheckErrors,
  listCheckInvoices,
  type postCheck,
  readCheck,
  readCheckInvoice,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { POLL_MS } from "#features/invoices/web/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";

type CheckKey = Pick<UploadCheck, "id" | "revision">;

const checkKey = (realmId: string, name: string, { id, revision }: CheckKey) =>
  [...queryKeys.invoices(realmId), name, id, revision] as const;

/** A check and its report; polled while the check is in progress. */
export function checkQuery(realmId: string, id: string) {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "check", id] as const,
    queryFn: ({ signal }) =>
      call(readCheck, { params: { upload_id: id }, query: { realm_id: realmId }, signal }),
    refetchInterval: ({ state: { data } }) => {
      if (data?.state === "checking" || data?.state === "posting") return POLL_MS.working;
      return data?.state === "waiting" ? POLL_MS.waiting : false;
    },
  });
}

/**
 * Every invoice of a check; refetched after each repeat of the check, showing the earlier ones until then.
 */
export const reviewInvoicesQuery = (realmId: string, check: CheckKey) =>
  queryOptions({
    queryKey: checkKey(realmId, "review", check),
    queryFn: ({ signal }) =>
      call(listCheckInvoices, { params: { upload_id: check.id }, query: { realm_id: realmId }, signal }),
    placeholderData: keepPreviousData,
  });

/** Lines and problems of one invoice. */
export const reviewInvoiceQuery = (realmId: string, check: CheckKey, seq: number) =>
  queryOptions({
    queryKey: [...checkKey(realmId, "review-invoice", check), seq] as const,
    queryFn: ({ signal }) =>
      call(readCheckInvoice, { params: { upload_id: check.id, seq }, query: { realm_id: realmId }, signal }),
  });

/** Cells that block invoices, page by page. */
export const reviewErrorsQuery = (realmId: string, check: CheckKey) =>
  infiniteQueryOptions({
    queryKey: checkKey(realmId, "review-errors", check),
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

/**
 * Sends a command for the check that this page shows, then refetches the check, even after a refusal, because
 * another user may have repeated it.
 */
export function useCheckCommand(
  endpoint: typeof postCheck | typeof allowDuplicates,
  realmId: string,
  { id, revision }: CheckKey,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call(endpoint, { params: { upload_id: id }, query: { realm_id: realmId, revision } }),
    onSettled: () => queries.invalidateQueries({ queryKey: checkQuery(realmId, id).queryKey }),
  });
}
