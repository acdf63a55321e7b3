import { previewUndo, type UndoRun, type UndoStatus } from "#features/invoices/undo/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { queryKeys } from "#web/kit/query-client.ts";
import { type Query, queryOptions } from "@tanstack/react-query";

/** Milliseconds between two looks at an undo that is at work, and at one that waits for a connection. */
export const UNDO_POLL_MS = { working: 1000, paused: 5000 } as const;

/** What an undo would do now, and how the latest one goes; looked at again while it is at work. */
export function undoQuery(realmId: string, uploadId: string) {
  return queryOptions({
    queryKey: [...queryKeys.invoices(realmId), "undo", uploadId] as const,
    queryFn: ({ signal }) =>
      call(previewUndo, { params: { upload_id: uploadId }, query: { realm_id: realmId }, signal }),
    refetchInterval: (query: Query<UndoStatus, Error, UndoStatus, readonly unknown[]>) => {
      const state = query.state.data?.run?.state;
      if (state === "paused") return UNDO_POLL_MS.paused;
      return isAtWork(state) ? UNDO_POLL_MS.working : false;
    },
    // The books may have changed since they were last looked at.
    staleTime: 0,
    gcTime: 0,
  });
}

export function isAtWork(state: UndoRun["state"] | undefined): boolean {
  return state === "queued" || state === "working" || state === "paused";
}
