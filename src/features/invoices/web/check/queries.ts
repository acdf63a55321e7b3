import { readCheck, type UploadCheck } from "#features/invoices/check/contract.ts";
import { POLL_MS } from "#features/invoices/web/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { queryOptions } from "@tanstack/react-query";

/** A check and what it found; looked at again while it is at work. */
export function checkQuery(realmId: string, id: string) {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "check", id] as const,
    queryFn: ({ signal }) =>
      call(readCheck, { params: { upload_id: id }, query: { realm_id: realmId }, signal }),
    refetchInterval: ({ state }) => intervalOf(state.data?.state),
  });
}

function intervalOf(state: UploadCheck["state"] | undefined): number | false {
  if (state === "checking" || state === "posting") return POLL_MS.working;
  return state === "waiting" ? POLL_MS.waiting : false;
}
