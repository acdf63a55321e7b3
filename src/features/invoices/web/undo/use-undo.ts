import type { UndoAction } from "#features/invoices/contract.ts";
import { startUndo, type UndoRun } from "#features/invoices/undo/contract.ts";
import { isAtWork, undoQuery } from "#features/invoices/web/undo/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

type Asked = { realmId: string; uploadId: string; isOpen: boolean };

/** What undoing an upload would do, starting it, and following the one that was started here or is at work. */
export function useUndo({ realmId, uploadId, isOpen }: Asked) {
  const queries = useQueryClient();
  const { queryKey, ...options } = undoQuery(realmId, uploadId);
  const [startedId, setStartedId] = useState<string | null>(null);
  const status = useQuery({ queryKey, ...options, enabled: isOpen || startedId !== null });
  const start = useMutation({
    mutationFn: (action: UndoAction) =>
      call(startUndo, { params: { upload_id: uploadId }, query: { realm_id: realmId }, body: { action } }),
    onSuccess: ({ run }) => {
      setStartedId(run.id);
      queries.setQueryData(queryKey, { preview: null, run });
    },
  });
  const { preview, run } = status.data ?? { preview: null, run: null };
  const isOurs = run !== null && run.id === startedId;
  useUndoNews(realmId, isOurs ? run : null);
  const followed = isOurs || isAtWork(run?.state) ? run : null;
  return {
    status,
    start,
    /** The undo to follow; while there is one, nothing is asked. */
    followed,
    preview: followed ? null : preview,
    lastRun: run,
    /** Called when the dialog closes: an undo at work is followed on, an ended one is done with. */
    leave: () => {
      if (!isAtWork(run?.state)) setStartedId(null);
    },
  };
}

/** Says how an undo ends, and has the uploads and the receipt read again. */
function useUndoNews(realmId: string, run: UndoRun | null) {
  const announce = useAnnounce();
  const queries = useQueryClient();
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (!run || isAtWork(run.state) || announced.current === run.id) return;
    announced.current = run.id;
    announce(run.sentence);
    for (const part of ["list", "results", "receipt"]) {
      void queries.invalidateQueries({ queryKey: [...queryKeys.invoices(realmId), part] });
    }
  }, [run, realmId, announce, queries]);
}
