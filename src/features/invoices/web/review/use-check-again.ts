import { checkAgain, type UploadCheck } from "#features/invoices/check/contract.ts";
import { checkQuery } from "#features/invoices/web/review/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { httpStatus, isUnanswered } from "#web/kit/api-error.ts";
import { openDraft } from "#web/kit/use-draft.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

type Cell = { row: number; field: string; value: string };
type Mode = UploadCheck["mode"];
type Left = { row: number; is_left_out: boolean };
type Changes = { cells: readonly Cell[]; invoices: readonly Left[]; mode?: Mode };
const NO_CHANGES: Changes = { cells: [], invoices: [] };

/** Adds later changes to earlier ones; for the same invoice the later one wins. */
const combine = (before: Changes, after: Changes): Changes => ({
  ...before,
  ...after,
  cells: [...before.cells, ...after.cells],
  invoices: [
    ...before.invoices.filter(({ row }) => after.invoices.every((later) => later.row !== row)),
    ...after.invoices,
  ],
});

/** The check is being repeated, from here or another tab. The change is sent again afterwards. */
const isOutdated = (error: unknown) => httpStatus(error) === 409;

/** The server refused for good; an ended session only needs a sign-in. */
const isRefused = (error: unknown) => {
  const status = httpStatus(error);
  return status !== null && status >= 400 && status < 500 && status !== 401;
};

/** Stores changes that are not known to be applied, to survive the end of the session. */
function keptChanges(checkId: string) {
  const draft = openDraft(`check.${checkId}`);
  return {
    read: () => readChanges(draft.get()),
    keep: (changes: Changes) => draft.keep(JSON.stringify(changes)),
    forget: draft.forget,
  };
}

/** Null for an empty draft, and for one in an earlier version's format. */
function readChanges(json: string | null): Changes | null {
  try {
    const kept = JSON.parse(json ?? "null") as Partial<Changes> | null;
    return Array.isArray(kept?.cells) && Array.isArray(kept.invoices) ? (kept as Changes) : null;
  } catch {
    return null;
  }
}

export type Again = {
  /** Repeats the check with corrected cells; while a check is in progress they wait for its end. */
  ask: (cells?: readonly Cell[]) => void;
  setMode: (mode: Mode) => void;
  /** Leaves out the invoice of a row. */
  leaveOut: (row: number) => void;
  /** Puts back the invoice of a row. */
  putBack: (row: number) => void;
  isBusy: boolean;
  error: Error | null;
};

/** Repeats the check of a stored file, finished or stopped, with corrected cells, without some invoices, or in another mode. */
export function useCheckAgain(realmId: string, { id, revision, state }: UploadCheck): Again {
  const queries = useQueryClient();
  const [kept] = useState(() => keptChanges(id));
  const [waiting, setWaiting] = useState<Changes | null>(kept.read);
  const { mutate, isPending, error, variables, status } = useMutation({
    mutationFn: ({ cells, invoices, mode, seen }: Changes & { seen: number; state: UploadCheck["state"] }) =>
      call(checkAgain, {
        params: { upload_id: id },
        query: { realm_id: realmId, revision: seen },
        body: { cells: [...cells], invoices: [...invoices], ...(mode ? { mode } : {}) },
      }),
    onMutate: () => setWaiting(null),
    onError: (refused, { seen: _seen, state: _state, ...changes }) => {
      if (isOutdated(refused)) setWaiting((waits) => (waits ? combine(changes, waits) : changes));
    },
    onSettled: () => queries.invalidateQueries({ queryKey: checkQuery(realmId, id).queryKey }),
  });
  // Sends once per revision, and once more if its check stopped: changes refused as outdated are sent with the next.
  const isNew = !isOutdated(error) || variables?.seen !== revision || variables.state !== state;
  const isReady = (state === "failed" || state === "checked") && isNew;
  useEffect(() => {
    if (waiting !== null && !isPending && isReady) mutate({ ...waiting, seen: revision, state });
  }, [waiting, isPending, isReady, revision, state, mutate]);
  useEffect(() => {
    if (waiting !== null) kept.keep(isPending && variables ? combine(variables, waiting) : waiting);
    else if (status === "success" || isRefused(error)) kept.forget();
  }, [kept, waiting, isPending, variables, status, error]);
  useEffect(() => {
    if (!isUnanswered(error) || !variables) return undefined;
    // The connection was lost: the changes are sent once it is back.
    const resume = () => setWaiting((waits) => (waits ? combine(variables, waits) : variables));
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
    /** Puts back the invoice of a row. */
    putBack: (row) => leave(row, false),
    isBusy: waiting !== null || isPending || state === "checking",
    // Changes that will be sent after the running check aren't failures.
    error: isOutdated(error) && waiting !== null && (isReady || state === "checking") ? null : error,
  };
}
