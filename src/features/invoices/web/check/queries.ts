import { readCheck, type UploadCheck } from "#features/invoices/check/contract.ts";
import { listUploadResults } from "#features/invoices/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { keepPreviousData, type Query, queryOptions } from "@tanstack/react-query";

/** Milliseconds between two looks at a check that is at work, and at one that waits for a connection. */
export const CHECK_POLL_MS = { working: 1000, waiting: 5000 } as const;

/** A check and what it found; looked at again while it is at work. */
export function checkQuery(realmId: string, id: string) {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "check", id] as const,
    queryFn: ({ signal }) =>
      call(readCheck, { params: { upload_id: id }, query: { realm_id: realmId }, signal }),
    refetchInterval: (query: Query<UploadCheck, Error, UploadCheck, readonly unknown[]>) =>
      intervalOf(query.state.data?.state),
  });
}

/** Every row of a check; read again whenever the check was repeated. */
export function checkRowsQuery(realmId: string, check: Pick<UploadCheck, "id" | "revision">) {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "check-rows", check.id, check.revision] as const,
    queryFn: ({ signal }) =>
      call(listUploadResults, {
        params: { upload_id: check.id },
        query: { realm_id: realmId, filter: "all" },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

function intervalOf(state: UploadCheck["state"] | undefined): number | false {
  if (state === "checking" || state === "posting") return CHECK_POLL_MS.working;
  return state === "waiting" ? CHECK_POLL_MS.waiting : false;
}
