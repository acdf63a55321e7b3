import { checkAgain, type UploadCheck } from "#features/invoices/check/contract.ts";
import { checkQuery } from "#features/invoices/web/check/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { isUnanswered, httpStatus } from "#web/kit/api-error.ts";
import { openDraft } from "#web/kit/use-draft.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

type Cell = { row: number; field: string; value: string };
type Mode = UploadCheck["mode"];
type Left = { row: number; is_left_out: boolean };
type Changes = { cells: readonly Cell[]; invoices: readonly Left[]; mode?: Mode };
const NO_CHANGES: Changes = { cells: [], invoices: [] };

/** Both in turn; of two changes of one invoice the later counts. */
const together = (before: Changes, after: Changes): Changes => ({
  ...before,
  ...after,
  cells: [...before.cells, ...after.cells],
  invoices: [
    ...before.invoices.filter(({ row }) => after.invoices.every((later) => later.row !== row)),
    ...after.invoices,
  ],
});

/** The check that was seen is being made again, asked for here or in another tab: what was asked for now is not wrong. */
const isOutdated = (error: unknown) => httpStatus(error) === 409;

/** The server said no, and would again; a session that ended only has to be signed in to. */
const isRefused = (error: unknown) => {
  const status = httpStatus(error);
  return status !== null && status >= 400 && status < 500 && status !== 401;
};

/** What was asked for and is not known to be done, kept over a session that ends. */
function keptChanges(checkId: string) {
  const draft = openDraft(`check.${checkId}`);
  return {
    read: () => readChanges(draft.get()),
    keep: (changes: Changes) => draft.keep(JSON.stringify(changes)),
    forget: draft.forget,
  };
}

/** Null for nothing, and for what an earlier version of the page kept. */
function readChanges(json: string | null): Changes | null {
  try {
    const kept = JSON.parse(json ?? "null") as Partial<Changes> | null;
    return Array.isArray(kept?.cells) && Array.isArray(kept.invoices) ? (kept as Changes) : null;
  } catch {
    return null;
  }
}

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
  const [kept] = useState(() => keptChanges(id));
  const [waiting, setWaiting] = useState<Changes | null>(kept.read);
  const { mutate, isPending, error, variables, status } = useMutation({
    mutationFn: ({ cells, invoices, mode, seen }: Changes & { seen: number }) =>
      call(checkAgain, {
        params: { upload_id: id },
        query: { realm_id: realmId, revision: seen },
        body: { cells: [...cells], invoices: [...invoices], ...(mode ? { mode } : {}) },
      }),
    onMutate: () => setWaiting(null),
    onError: (refused, { seen: _seen, ...changes }) => {
      if (isOutdated(refused)) setWaiting((waits) => (waits ? together(changes, waits) : changes));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: checkQuery(realmId, id).queryKey }),
  });
  // Once for each check that was seen: what one refused as outdated goes out with the next.
  const isNew = !isOutdated(error) || variables?.seen !== revision;
  const isReady = state === "checked" && isNew;
  useEffect(() => {
    if (waiting !== null && !isPending && isReady) mutate({ ...waiting, seen: revision });
  }, [waiting, isPending, isReady, revision, mutate]);
  useEffect(() => {
    if (waiting !== null) kept.keep(isPending && variables ? together(variables, waiting) : waiting);
    else if (status === "success" || isRefused(error)) kept.forget();
  }, [kept, waiting, isPending, variables, status, error]);
  useEffect(() => {
    if (!isUnanswered(error) || !variables) return undefined;
    // The line was gone: what did not get through goes out once it is back.
    const resume = () => setWaiting((waits) => (waits ? together(variables, waits) : variables));
    window.addEventListener("online", resume);
    return () => window.removeEventListener("online", resume);
  }, [error, variables]);
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
    // What goes out by itself once the check has been made again is no failure; where none is made, it is one.
    error: isOutdated(error) && waiting !== null && (isReady || state === "checking") ? null : error,
  };
}
