import {
  RESULT_STATUS,
  type ResultFilter,
  type UploadResult,
  type UploadSummary,
} from "#features/invoices/contract.ts";
import { uploadResultsQuery } from "#features/invoices/web/queries.ts";
import { isProblem } from "#features/invoices/web/results/status.ts";
import { useQuery } from "@tanstack/react-query";

type Rows = {
  rows: readonly UploadResult[] | null;
  error: Error | null;
  isLoading: boolean;
  retry: () => void;
};

/** Rows of an upload that pass the filter: from the list when it holds all of them, else asked for. */
export function useResultRows(asked: { realmId: string; upload: UploadSummary; filter: ResultFilter }): Rows {
  const { realmId, upload, filter } = asked;
  const complete = upload.result_count <= upload.results.length;
  const query = useQuery({ ...uploadResultsQuery(realmId, upload, filter), enabled: !complete });
  const retry = () => void query.refetch();
  if (complete) return { rows: filterRows(upload.results, filter), error: null, isLoading: false, retry };
  const rows = query.data?.results ?? (query.error ? filterRows(upload.results, filter) : null);
  return { rows, error: query.error, isLoading: query.isPending, retry };
}

/** The same choice as the server's. */
export function filterRows(rows: readonly UploadResult[], filter: ResultFilter): readonly UploadResult[] {
  if (filter === "all") return rows;
  if (filter === "problems") return rows.filter(({ status }) => isProblem(status));
  return rows.filter(({ status }) => status === RESULT_STATUS.completed);
}
