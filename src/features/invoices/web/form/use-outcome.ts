import type { UploadResult, UploadSummary } from "#features/invoices/contract.ts";
import { checkQuery, checkRowsQuery } from "#features/invoices/web/check/queries.ts";
import { uploadResultsQuery, uploadsQuery } from "#features/invoices/web/queries.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

/** `checked`: nothing is posted yet. `posted`: everything without a problem is in the books. */
export type Outcome = { kind: "checked" | "posted"; results: readonly UploadResult[] };

type Results = readonly UploadResult[] | undefined;

const UPLOADS = 20;

type Sent = { id: string; isCheck: boolean };

/** What became of what was sent last; null while that is not known. */
export function useOutcome(realmId: string, sent: Sent | null): Outcome | null {
  const { data: list } = useQuery({ ...uploadsQuery(realmId, UPLOADS), enabled: sent !== null });
  const upload = list?.uploads.find(({ id }) => id === sent?.id);
  const posted = usePostedResults(realmId, upload);
  const checked = useCheckedResults(realmId, sent?.isCheck && !upload ? sent.id : null);
  const kind = upload ? "posted" : "checked";
  const results = upload ? posted : checked;
  return useMemo(() => (results ? { kind, results } : null), [kind, results]);
}

/** Problems of an upload once nothing of it is at work any more. */
function usePostedResults(realmId: string, upload: UploadSummary | undefined): Results {
  const isDone = upload !== undefined && upload.counts.open === 0;
  const rows = useQuery({
    ...uploadResultsQuery(realmId, upload ?? NO_UPLOAD, "problems"),
    enabled: isDone,
  });
  return isDone && !rows.isPlaceholderData ? rows.data?.results : undefined;
}

/** Every result of a check once it is finished. */
function useCheckedResults(realmId: string, id: string | null): Results {
  const { data: check } = useQuery({ ...checkQuery(realmId, id ?? ""), enabled: id !== null });
  const isDone = id !== null && check?.state === "checked";
  const rows = useQuery({ ...checkRowsQuery(realmId, check ?? NO_CHECK), enabled: isDone });
  return isDone && !rows.isPlaceholderData ? rows.data?.results : undefined;
}

// Stand in for what is not there yet; nothing is asked with them.
const NO_UPLOAD = {
  id: "",
  filename: "",
  timestamp: "",
  results: [],
  result_count: 0,
  counts: { total: 0, completed: 0, problems: 0, open: 0 },
};

const NO_CHECK = { id: "", revision: 0 };
