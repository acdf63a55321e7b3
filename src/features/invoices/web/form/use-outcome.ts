import type { UploadResult, UploadSummary } from "#features/invoices/contract.ts";
import { checkQuery } from "#features/invoices/web/check/queries.ts";
import { PAGE_SIZE, resultRowsQuery, uploadsQuery } from "#features/invoices/web/queries.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

/** `checked`: nothing is posted yet. `posted`: everything without a problem is in the books. */
export type Outcome = { kind: "checked" | "posted"; results: readonly UploadResult[] };

type Results = readonly UploadResult[] | undefined;

type Sent = { id: string; isCheck: boolean };

/** What became of what was sent last; null while that is not known. */
export function useOutcome(realmId: string, sent: Sent | null): Outcome | null {
  const { data: list } = useQuery({ ...uploadsQuery(realmId, PAGE_SIZE), enabled: sent !== null });
  const upload = list?.uploads.find(({ id }) => id === sent?.id);
  const posted = usePostedResults(realmId, upload);
  const checked = useCheckedResults(realmId, sent?.isCheck && !upload ? sent.id : null);
  const kind = upload ? "posted" : "checked";
  const results = upload ? posted : checked;
  return useMemo(() => (results ? { kind, results } : null), [kind, results]);
}

/** Problems of an upload once nothing of it is at work any more. */
function usePostedResults(realmId: string, upload: UploadSummary | undefined): Results {
  const isDone = upload?.counts.open === 0;
  return useRows(realmId, { id: upload?.id ?? "", version: upload?.counts, filter: "problems" }, isDone);
}

/** Every result of a check once it is finished. */
function useCheckedResults(realmId: string, id: string | null): Results {
  const { data: check } = useQuery({ ...checkQuery(realmId, id ?? ""), enabled: id !== null });
  const isDone = id !== null && check?.state === "checked";
  return useRows(realmId, { id: id ?? "", version: check?.revision, filter: "all" }, isDone);
}

function useRows(realmId: string, rows: Parameters<typeof resultRowsQuery>[1], isDone: boolean): Results {
  const { data, isPlaceholderData } = useQuery({ ...resultRowsQuery(realmId, rows), enabled: isDone });
  return isDone && !isPlaceholderData ? data?.results : undefined;
}
