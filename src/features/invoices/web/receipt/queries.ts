import {
  readReceipt,
  type Receipt,
  type ReceiptFilter,
  type ReceiptInvoice,
} from "#features/invoices/receipt/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { infiniteQueryOptions } from "@tanstack/react-query";

const PAGE_SIZE = 200;
const POLL_MS = 1_000;
/** Limit of one call. */
const PRINT_PAGE_SIZE = 5_000;

/** Narrows the invoices that a receipt lists. */
export type Listed = { filter: ReceiptFilter; search: string };

export const ALL: Listed = { filter: "all", search: "" };

/** The receipt of an upload; invoices are read page by page in the order of the sheet. */
export function receiptQuery(realmId: string, uploadId: string, { filter, search }: Listed) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.invoices(realmId), "receipt", uploadId, filter, search] as const,
    queryFn: ({ signal, pageParam }) =>
      call(readReceipt, {
        params: { upload_id: uploadId },
        query: {
          realm_id: realmId,
          after: pageParam,
          limit: PAGE_SIZE,
          filter,
          ...(search === "" ? {} : { search }),
        },
        signal,
      }),
    initialPageParam: -1,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
    // The receipt changes until all invoices are posted.
    refetchInterval: ({ state }) => (state.data?.pages[0]?.finished_at === null ? POLL_MS : false),
  });
}

/** Reads every invoice of a receipt past the cache: only a print needs all of them. */
export async function readAllInvoices(realmId: string, uploadId: string): Promise<ReceiptInvoice[]> {
  const all: ReceiptInvoice[] = [];
  let after: number | null = -1;
  while (after !== null) {
    const page: Receipt = await call(readReceipt, {
      params: { upload_id: uploadId },
      query: { realm_id: realmId, after, limit: PRINT_PAGE_SIZE },
    });
    for (const invoice of page.invoices) all.push(invoice);
    after = page.next;
  }
  return all;
}
