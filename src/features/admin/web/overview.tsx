import type { Overview as OverviewReply } from "#features/admin/contract.ts";
import { readList, type ListRow } from "#features/admin/lists/contract.ts";
import { pagePath } from "#features/admin/web/paths.ts";
import { HealthRows } from "#features/admin/web/health-rows.tsx";
import { ADMIN_KEY } from "#features/admin/web/keys.ts";
import { showTime } from "#features/admin/web/columns.ts";
import { LIST_VIEWS } from "#features/admin/web/lists.ts";
import { overviewQuery } from "#features/admin/web/queries.ts";
import { Actions, RowActions } from "#features/admin/web/row-actions.tsx";
import { RunLogButton } from "#features/admin/web/run-log.tsx";
import { nameRun } from "#features/admin/web/runs-view.ts";
import { adminWords, type PageName, type PageWords } from "#features/admin/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { Card, SectionHead } from "#web/kit/card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount } from "#web/kit/format.ts";
import { lazyPart } from "#web/kit/lazy-part.tsx";
import { LIST } from "#web/kit/lists.tsx";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { TextTable } from "#web/kit/tables.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";

const words = adminWords.overview;

const DayFigures = lazyPart(async () => (await import("#features/admin/web/day-figures.tsx")).DayFigures);
const DAYS_HEIGHT = { xs: 584, sm: 292 };

/** Figures of the last days, what waits for operators, and health. */
export function Overview() {
  const { data, error, refetch } = useQuery(overviewQuery());
  const waiting = Object.values(data?.waiting ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <section aria-labelledby="overview">
        <SectionHead id="overview" title={adminWords.pages.overview.title} />
        <FailedCall error={error} onRetry={() => void refetch()} />
        <Suspense fallback={<Box sx={{ height: DAYS_HEIGHT }} />}>
          <DayFigures />
        </Suspense>
      </section>
      <Card title={waiting > 0 ? words.waitingCount(waiting) : words.waiting}>
        {data ? <Waiting overview={data} count={waiting} /> : null}
      </Card>
      <Card title={adminWords.health.title}>
        <HealthRows failedMail={data?.waiting["mail"] ?? 0} />
      </Card>
    </>
  );
}

const SHOWN = 5;

/** Lists work that an operator can settle, and below it links to work that only customers can. */
function Waiting({ overview, count }: { overview: OverviewReply; count: number }) {
  const { waiting, of_customers: waitingForCustomers } = overview;
  const { runs = 0, ...others } = waiting;
  return (
    <>
      {count === 0 ? <p>{words.nothing}</p> : null}
      {runs > 0 ? <WaitingRuns count={runs} /> : null}
      <Links counts={others} show="waiting" />
      {Object.values(waitingForCustomers).some((each) => each > 0) ? (
        <Box sx={{ mt: 2, typography: "caption", color: "text.caption" }}>
          {words.waitingForCustomers}
          <Links counts={waitingForCustomers} show="attention" />
        </Box>
      ) : null}
    </>
  );
}

function Links({ counts, show }: { counts: Record<string, number>; show: "waiting" | "attention" }) {
  const shown = Object.entries(counts).filter(([, count]) => count > 0) as [PageName, number][];
  return (
    <Box component="ul" sx={{ ...LIST, display: "flex", flexWrap: "wrap", columnGap: 3 }}>
      {shown.map(([page, count]) => {
        const { title, filters }: PageWords = adminWords.pages[page];
        return (
          <li key={page}>
            <TextLink to={`${pagePath(page)}?show=${show}`}>
              {words.others(title, formatCount(count), filters?.[show] ?? "")}
            </TextLink>
          </li>
        );
      })}
    </Box>
  );
}

function WaitingRuns({ count }: { count: number }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [ADMIN_KEY, "waiting"],
    queryFn: ({ signal }) =>
      call(readList, { params: { list: "runs" }, query: { show: "waiting", limit: SHOWN }, signal }),
    staleTime: 0,
  });
  // The reply names its list, which is the one asked for.
  const rows = (data?.rows ?? []) as ListRow<"runs">[];
  const [company, run, cause, requested] = words.heads;
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Skeleton isBusy={isPending} label={adminWords.list.loading(words.waiting)} rows={2} columns={4}>
        {rows.length > 0 ? (
          <TextTable label={words.table} heads={words.heads} isComplete>
            {rows.map((row) => (
              <tr key={row.key}>
                <td data-head={company}>{row.company || "System"}</td>
                <td data-head={run}>{nameRun(row)}</td>
                <td data-head={cause}>{row.cause?.replaceAll("_", " ") ?? row.state}</td>
                <td data-head={requested} style={{ whiteSpace: "nowrap" }}>
                  {showTime(row.requested_at)}
                </td>
                <td>
                  <Actions>
                    <RowActions row={row} actions={LIST_VIEWS.runs.actions} />
                    <RunLogButton run={row} />
                  </Actions>
                </td>
              </tr>
            ))}
          </TextTable>
        ) : null}
      </Skeleton>
      {count > SHOWN ? (
        <TextLink to={`${pagePath("runs")}?show=waiting`}>{words.viewAll(count)}</TextLink>
      ) : null}
    </>
  );
}
