import { checkAgain, type UploadCheck } from "#features/invoices/check/contract.ts";
import { checkQuery } from "#features/invoices/web/check/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

type Cell = { row: number; field: string; value: string };
type Mode = UploadCheck["mode"];
type Changes = { cells: readonly Cell[]; mode?: Mode };

export type Again = {
  /** Asks for it; what is given while a check is being made waits for its end. */
  ask: (cells?: readonly Cell[]) => void;
  setMode: (mode: Mode) => void;
  isBusy: boolean;
  error: Error | null;
};

/** Has the stored file of a check checked once more, with cells that were corrected or in another mode. */
export function useCheckAgain(realmId: string, { id, revision, state }: UploadCheck): Again {
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState<Changes | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ cells, mode }: Changes) =>
      call(checkAgain, {
        params: { upload_id: id },
        query: { realm_id: realmId, revision },
        body: { cells: [...cells], ...(mode ? { mode } : {}) },
      }),
    onMutate: () => setWaiting(null),
    onSettled: () => queries.invalidateQueries({ queryKey: checkQuery(realmId, id).queryKey }),
  });
  useEffect(() => {
    if (waiting !== null && !isPending && state === "checked") mutate(waiting);
  }, [waiting, isPending, state, mutate]);
  return {
    ask: (cells = []) => setWaiting((before) => ({ ...before, cells: [...(before?.cells ?? []), ...cells] })),
    setMode: (mode) => setWaiting((before) => ({ cells: before?.cells ?? [], mode })),
    isBusy: waiting !== null || isPending || state === "checking",
    error,
  };
}
