import {
  RESULT_STATUS,
  type ResultFilter,
  type UploadResult,
  type UploadSummary,
} from "#features/invoices/contract.ts";
import { resultRowsQuery } from "#features/invoices/web/queries.ts";
import { RESULT_COLUMNS, ResultRow } from "#features/invoices/web/results/result-row.tsx";
import { groupResults, isProblem, type ResultGroup } from "#features/invoices/web/results/rules.ts";
import { uploadWords } from "#features/invoices/web/words.ts";
import { Disclosure } from "#web/kit/disclosure.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { usePrinting } from "#web/kit/use-media.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useMemo } from "react";

const words = uploadWords.results;

/** Rows of a long upload; loaded early, so that the component is ready with the rows. */
const WindowedRows = lazyPart(
  async () => (await import("#features/invoices/web/results/windowed-rows.tsx")).WindowedRows,
);

type Props = {
  realmId: string;
  /** An upload or a check: its first rows, and the total number. */
  of: Pick<UploadSummary, "id" | "results" | "result_count">;
  /** Changes whenever the rows change. */
  version: unknown;
  filter: ResultFilter;
  label: string;
};

/** Filtered rows of an upload or a check; fetches those that the list does not contain. */
export function ResultRows({ realmId, of, version, filter, label }: Props) {
  const complete = of.result_count <= of.results.length;
  const { data, error, isLoading, refetch } = useQuery({
    ...resultRowsQuery(realmId, { id: of.id, version, filter }),
    enabled: !complete,
  });
  const isLong = of.result_count > WINDOW_FROM;
  useEffect(() => {
    if (isLong) void WindowedRows.load();
  }, [isLong]);
  const read = complete ? undefined : data?.results;
  const rows = read ?? (complete || error ? filterRows(of.results, filter) : null);
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

/** Filters exactly as the server does. */
function filterRows(rows: readonly UploadResult[], filter: ResultFilter): readonly UploadResult[] {
  if (filter === "all") return rows;
  if (filter === "problems") return rows.filter(({ status }) => isProblem(status));
  return rows.filter(({ status }) => status === RESULT_STATUS.completed);
}

/** Longer tables render only visible rows; printing renders all of them. */
export const WINDOW_FROM = 200;

/** Uses the same grid as the rows; on narrow screens rows are stacked and need no headers. */
const Head = styled("div")(({ theme }) => ({
  display: "grid",
  gridTemplateColumns: RESULT_COLUMNS,
  columnGap: 12,
  padding: "6px 12px 6px 16px",
  ...typeScale.caption,
  fontWeight: 700,
  color: (theme.vars ?? theme).palette.text.caption,
  [theme.breakpoints.down("sm")]: visuallyHidden,
}));

type TableProps = { rows: readonly UploadResult[]; label: string };

/**
 * Row range, status and message of each result, equal causes together; remarks on the file are collapsed
 * separately.
 */
export function ResultTable({ rows, label }: TableProps) {
  const { groups, notes } = useMemo(() => groupResults(rows), [rows]);
  return (
    <>
      {groups.length > 0 ? <Groups groups={groups} label={label} /> : null}
      {notes.length > 0 ? (
        <Disclosure title={words.notes(notes.length)} my={0.5} variant="text">
          <Groups groups={notes} label={words.notesLabel(label)} />
        </Disclosure>
      ) : null}
    </>
  );
}

function Groups({ groups, label }: { groups: readonly ResultGroup[]; label: string }) {
  const isPrinting = usePrinting();
  return (
    // The count includes the header.
    <div role="table" aria-label={label} aria-rowcount={groups.length + 1}>
      <div role="rowgroup">
        <Head role="row" aria-rowindex={1}>
          <span role="columnheader">{words.rows}</span>
          <span role="columnheader">{words.status}</span>
          <span role="columnheader">{words.message}</span>
        </Head>
      </div>
      {groups.length > WINDOW_FROM && !isPrinting ? (
        <Suspense>
          <WindowedRows rows={groups} label={label} />
        </Suspense>
      ) : (
        <div role="rowgroup">
          {groups.map((row, index) => (
            <ResultRow key={row.key} entry={row} rowIndex={index + 2} />
          ))}
        </div>
      )}
    </div>
  );
}
