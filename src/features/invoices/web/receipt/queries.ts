import { readReceipt } from "#features/invoices/receipt/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { infiniteQueryOptions } from "@tanstack/react-query";

const PAGE_SIZE = 200;

/** The receipt of an upload; its invoices come page by page, in the order of the sheet. */
export function receiptQuery(realmId: string, uploadId: string) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.invoices(realmId), "receipt", uploadId] as const,
    queryFn: ({ signal, pageParam }) =>
      call(readReceipt, {
        params: { upload_id: uploadId },
        query: { realm_id: realmId, after: pageParam, limit: PAGE_SIZE },
        signal,
      }),
    initialPageParam: -1,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
}
