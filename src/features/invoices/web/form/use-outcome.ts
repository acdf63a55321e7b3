import type { UploadResult } from "#features/invoices/contract.ts";
import { checkQuery, checkRowsQuery } from "#features/invoices/web/check/queries.ts";
import { uploadResultsQuery, uploadsQuery } from "#features/invoices/web/queries.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";

/** `checked`: nothing is posted yet. `posted`: everything without a problem is in the books. */
export type Outcome = { kind: "checked" | "posted"; results: readonly UploadResult[] };

const UPLOADS = 20;

/** What became of what was sent last; null while that is not known. @param id of the check or upload */
export function useOutcome(realmId: string, sent: { id: string; isCheck: boolean } | null): Outcome | null {
  const id = sent?.id ?? "";
  const { data: list } = useQuery({ ...uploadsQuery(realmId, UPLOADS), enabled: sent !== null });
  const upload = list?.uploads.find((one) => one.id === id);
  const isDone = upload !== undefined && upload.counts.open === 0;
  const uploadRows = useQuery({
    ...uploadResultsQuery(realmId, upload ?? NO_UPLOAD, "problems"),
    enabled: isDone,
  });
  const isChecked = sent?.isCheck === true && !upload;
  const { data: check } = useQuery({ ...checkQuery(realmId, id), enabled: isChecked });
  const checkRows = useQuery({
    ...checkRowsQuery(realmId, check ?? NO_CHECK),
    enabled: isChecked && check?.state === "checked",
  });
  const kind = isDone ? "posted" : "checked";
  const rows = isDone ? uploadRows : checkRows;
  const isKnown = !rows.isPlaceholderData && (isDone || (isChecked && check?.state === "checked"));
  const results = isKnown ? rows.data?.results : undefined;
  return useMemo(() => (results ? { kind, results } : null), [kind, results]);
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

const NO_CHECK = { id: "", result_count: 0, changes: [] };
