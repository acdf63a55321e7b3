import { previewUndo, type UndoRun } from "#features/invoices/undo/contract.ts";
import { POLL_MS } from "#features/invoices/web/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { queryOptions } from "@tanstack/react-query";

/** Preview of an undo and the state of the latest one; polled while it is in progress. */
export function undoQuery(realmId: string, uploadId: string) {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "undo", uploadId] as const,
    queryFn: ({ signal }) =>
      call(previewUndo, { params: { upload_id: uploadId }, query: { realm_id: realmId }, signal }),
    refetchInterval: ({ state: { data } }) => {
      const state = data?.run?.state;
      if (state === "paused") return POLL_MS.waiting;
      return isAtWork(state) ? POLL_MS.working : false;
    },
    // The books may have changed since the last read.
    staleTime: 0,
    gcTime: 0,
  });
}

export function isAtWork(state: UndoRun["state"] | undefined): boolean {
  return state === "queued" || state === "working" || state === "paused";
}
