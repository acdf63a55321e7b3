import { checkAgain, type UploadCheck } from "#features/invoices/check/contract.ts";
import { checkQuery } from "#features/invoices/web/check/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

type Cell = { row: number; field: string; value: string };
type Mode = UploadCheck["mode"];
type Left = { row: number; is_left_out: boolean };
type Changes = { cells: readonly Cell[]; invoices: readonly Left[]; mode?: Mode };
const NO_CHANGES: Changes = { cells: [], invoices: [] };

export type Again = {
  /** Asks for it; what is given while a check is being made waits for its end. */
  ask: (cells?: readonly Cell[]) => void;
  setMode: (mode: Mode) => void;
  /** Leaves out the invoice that has a row, or puts it back. */
  leaveOut: (row: number) => void;
  putBack: (row: number) => void;
  isBusy: boolean;
  error: Error | null;
};

/** Has the stored file of a check checked once more, with cells that were corrected, without invoices or in another mode. */
export function useCheckAgain(realmId: string, { id, revision, state }: UploadCheck): Again {
  const queries = useQueryClient();
  const [waiting, setWaiting] = useState<Changes | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ cells, invoices, mode }: Changes) =>
      call(checkAgain, {
        params: { upload_id: id },
        query: { realm_id: realmId, revision },
        body: { cells: [...cells], invoices: [...invoices], ...(mode ? { mode } : {}) },
      }),
    onMutate: () => setWaiting(null),
    onSettled: () => queries.invalidateQueries({ queryKey: checkQuery(realmId, id).queryKey }),
  });
  useEffect(() => {
    if (waiting !== null && !isPending && state === "checked") mutate(waiting);
  }, [waiting, isPending, state, mutate]);
  const add = (more: (before: Changes) => Partial<Changes>) =>
    setWaiting((waits) => ({ ...(waits ?? NO_CHANGES), ...more(waits ?? NO_CHANGES) }));
  const leave = (row: number, is_left_out: boolean) =>
    add(({ invoices }) => ({
      invoices: [...invoices.filter((other) => other.row !== row), { row, is_left_out }],
    }));
  return {
    ask: (cells = []) => add((before) => ({ cells: [...before.cells, ...cells] })),
    setMode: (mode) => add(() => ({ mode })),
    leaveOut: (row) => leave(row, true),
    putBack: (row) => leave(row, false),
    isBusy: waiting !== null || isPending || state === "checking",
    error,
  };
}
