import type { Day } from "#features/admin/contract.ts";
import { pagePath } from "#features/admin/web/paths.ts";
import { daysQuery } from "#features/admin/web/queries.ts";
import { adminWords } from "#features/admin/web/words.ts";
import { DayBars, lastDays } from "#web/kit/day-bars.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount, formatDollars } from "#web/kit/format.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

const words = adminWords.overview.days;

/** Figures of a day, each with the list that its bar opens. */
const FIGURES = [
  { of: "invoices", page: "uploads" },
  { of: "labels", page: "labels" },
  { of: "deliveries", page: "tracking" },
  { of: "errors", page: "errors" },
] as const satisfies readonly { of: keyof Day; page: string }[];

const Grid = styled("dl")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    display: "grid",
    gridTemplateColumns: "minmax(0, 1fr) minmax(0, 1fr)",
    margin: 0,
    borderTop: `1px solid ${palette.line.strong}`,
    borderBottom: `1px solid ${palette.line.strong}`,
    "& > div": { padding: "14px 24px 12px 0" },
    "& > div:nth-of-type(n + 3)": { borderTop: `1px solid ${palette.divider}` },
    "& > div:nth-of-type(even)": { padding: "14px 0 12px 24px", borderLeft: `1px solid ${palette.divider}` },
    [theme.breakpoints.down("sm")]: {
      gridTemplateColumns: "minmax(0, 1fr)",
      "& > div, & > div:nth-of-type(even)": { padding: "12px 0", borderLeft: 0 },
      "& > div + div": { borderTop: `1px solid ${palette.divider}` },
    },
    "& dt": { ...typeScale.caption, color: palette.text.secondary },
    "& dd": { margin: 0 },
    "& dd.today": { ...typeScale.figure, marginBottom: 8 },
    "& dd.today > span": {
      ...typeScale.table,
      marginLeft: 8,
      letterSpacing: 0,
      color: palette.text.secondary,
    },
  };
});

/** Today's figures, with the 13 days before as bars that lead to the lists of a day. */
export function DayFigures() {
  const [last] = useState(lastDays);
  const { data, error, isPending, refetch } = useQuery(daysQuery(last.map(({ start }) => start)));
  const today = data?.days.at(-1);
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Skeleton isBusy={isPending} label={words.loading} rows={2} columns={2} height={146}>
        {data && today ? (
          <Grid>
            {FIGURES.map(({ of, page }) => (
              <div key={of}>
                <dt>{words.names[of]}</dt>
                <dd className="today">
                  {formatCount(today[of])}
                  <span>
                    {of === "invoices" && today.invoice_cents > 0
                      ? words.amountToday(formatDollars(today.invoice_cents))
                      : words.today}
                  </span>
                </dd>
                <dd>
                  <DayBars
                    label={words.byDay(words.names[of])}
                    parts={[{ name: words.names[of], look: of === "errors" ? "red" : "plain" }]}
                    days={last.map(({ day }, at) => ({ day, counts: [data.days[at]?.[of] ?? 0] }))}
                    toDay={(day) => `${pagePath(page)}${day === null ? "" : `?day=${day}`}`}
                  />
                </dd>
              </div>
            ))}
          </Grid>
        ) : null}
      </Skeleton>
    </>
  );
}
