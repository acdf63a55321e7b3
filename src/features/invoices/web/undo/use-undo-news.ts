import type { UndoRun } from "#features/invoices/undo/contract.ts";
import { isAtWork } from "#features/invoices/web/undo/queries.ts";
import { undoWords as words } from "#features/invoices/web/undo/words.ts";
import { formatCount } from "#web/kit/format.ts";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";

/** Says how an undo ends, and has the uploads and the receipt read again. */
export function useUndoNews(realmId: string, run: UndoRun | null) {
  const announce = useAnnounce();
  const queries = useQueryClient();
  const announced = useRef<string | null>(null);
  useEffect(() => {
    if (!run || isAtWork(run.state) || announced.current === run.id) return;
    announced.current = run.id;
    announce(run.sentence || endOf(run));
    for (const part of ["list", "results", "receipt"]) {
      void queries.invalidateQueries({ queryKey: [...queryKeys.invoices(realmId), part] });
    }
  }, [run, realmId, announce, queries]);
}

function endOf({ undone, skipped }: UndoRun): string {
  return words.finished(
    words.invoices(undone.invoices, formatCount(undone.invoices)),
    words.invoices(skipped.invoices, formatCount(skipped.invoices)),
  );
}
