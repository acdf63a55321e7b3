import { readList, type ListRow } from "#features/admin/lists/contract.ts";
import { pagePath } from "#features/admin/web/paths.ts";
import { HealthRows } from "#features/admin/web/health-rows.tsx";
import { ADMIN_KEY } from "#features/admin/web/keys.ts";
import { formatShortTime, LIST_VIEWS } from "#features/admin/web/lists.ts";
import { overviewQuery } from "#features/admin/web/queries.ts";
import { Actions, RowActions } from "#features/admin/web/row-actions.tsx";
import { RunLogButton } from "#features/admin/web/run-log.tsx";
import { adminWords } from "#features/admin/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { Card, SectionHead } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount, formatDollars } from "#web/kit/format.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { SummaryBand } from "#web/kit/summary-band.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import { useQuery } from "@tanstack/react-query";

const words = adminWords.overview;

/** Figures of today, health, and the runs that failed. */
export function Overview() {
  const { data, error, isPending, refetch } = useQuery(overviewQuery());
  const waiting = Object.values(data?.attention ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <section aria-labelledby="overview">
        <SectionHead id="overview" title={adminWords.pages.overview.title} />
        <FailedCall error={error} onRetry={() => void refetch()} />
        <Skeleton isBusy={isPending} label={words.loading} rows={1} columns={4} height={84}>
          {data ? (
            <SummaryBand
              label={words.figures}
              figures={[
                {
                  label: words.invoices,
                  value: formatCount(data.invoices),
                  ...(data.invoice_cents > 0 ? { note: formatDollars(data.invoice_cents) } : {}),
                },
                { label: words.labels, value: formatCount(data.labels) },
                { label: words.deliveries, value: formatCount(data.deliveries) },
                {
                  label: words.waiting,
                  value: formatCount(waiting),
                  ...(waiting > 0 ? { mark: "red" as const } : {}),
                },
              ]}
            />
          ) : null}
        </Skeleton>
      </section>
      <Card title={adminWords.health.title}>
        <HealthRows failedMail={data?.attention["mail"] ?? 0} />
      </Card>
      <Card title={words.stopped}>
        <StoppedRuns count={data?.attention["runs"] ?? 0} />
      </Card>
    </>
  );
}

const SHOWN = 5;

function StoppedRuns({ count }: { count: number }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [ADMIN_KEY, "stopped"],
    queryFn: ({ signal }) =>
      call(readList, { params: { list: "runs" }, query: { show: "attention", limit: SHOWN }, signal }),
    staleTime: 0,
  });
  // The reply names its list, which is the one asked for.
  const rows = (data?.rows ?? []) as ListRow<"runs">[];
  const [company, run, cause, requested] = words.heads;
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Skeleton isBusy={isPending} label={adminWords.list.loading(words.stopped)} rows={2} columns={4}>
        {data && rows.length === 0 ? <p>{words.noStopped}</p> : null}
        {rows.length > 0 ? (
          <TextTable label={words.table} heads={words.heads} isComplete>
            {rows.map((row) => (
              <tr key={row.key}>
                <td data-head={company}>{row.company || "System"}</td>
                <td data-head={run}>{row.kind}</td>
                <td data-head={cause}>{row.cause?.replaceAll("_", " ") ?? row.state}</td>
                <td data-head={requested} style={{ whiteSpace: "nowrap" }}>
                  {formatShortTime(row.requested_at)}
                </td>
                <td>
                  <Actions>
                    <RowActions row={row} verbs={LIST_VIEWS.runs.verbs} />
                    <RunLogButton run={row} />
                  </Actions>
                </td>
              </tr>
            ))}
          </TextTable>
        ) : null}
      </Skeleton>
      {count > SHOWN ? <TextLink to={pagePath("runs")}>{words.viewAll(count)}</TextLink> : null}
    </>
  );
}
