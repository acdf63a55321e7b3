import {
  RESULT_STATUS,
  type ResultFilter,
  type UploadResult,
  type UploadSummary,
} from "#features/invoices/contract.ts";
import { resultRowsQuery } from "#features/invoices/web/queries.ts";
import { loadWindowedRows } from "#features/invoices/web/results/lazy-windowed-rows.tsx";
import { ResultTable, WINDOW_FROM } from "#features/invoices/web/results/result-table.tsx";
import { isProblem } from "#features/invoices/web/results/status.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

const words = uploadWords.results;

type Props = {
  realmId: string;
  /** An upload or a check: its first rows, and how many there are. */
  of: Pick<UploadSummary, "id" | "results" | "result_count">;
  /** Moves whenever the rows have. */
  version: unknown;
  filter: ResultFilter;
  label: string;
};

/** Rows of an upload or a check that pass the filter: those at hand when they are all, else asked for. */
export function ResultRows({ realmId, of, version, filter, label }: Props) {
  const complete = of.result_count <= of.results.length;
  const { data, error, isLoading, refetch } = useQuery({
    ...resultRowsQuery(realmId, { id: of.id, version, filter }),
    enabled: !complete,
  });
  const isLong = of.result_count > WINDOW_FROM;
  useEffect(() => {
    if (isLong) void loadWindowedRows();
  }, [isLong]);
  const asked = complete ? undefined : data?.results;
  const rows = asked ?? (complete || error ? filterRows(of.results, filter) : null);
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isLoading} label={words.loadingRows}>
        {rows?.length === 0 ? <p>{words.noneOfKind}</p> : null}
        {rows && rows.length > 0 ? <ResultTable rows={rows} label={label} /> : null}
      </Loading>
    </>
  );
}

/** The same choice as the server's. */
function filterRows(rows: readonly UploadResult[], filter: ResultFilter): readonly UploadResult[] {
  if (filter === "all") return rows;
  if (filter === "problems") return rows.filter(({ status }) => isProblem(status));
  return rows.filter(({ status }) => status === RESULT_STATUS.completed);
}
