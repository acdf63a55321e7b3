import { counted, formatCount, formatShortDay } from "#web/kit/format.ts";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import { typeScale } from "#web/theme/type-scale.ts";
import { styled } from "@mui/material/styles";
import type { KeyboardEvent } from "react";
import { Link } from "react-router";

/** UI text for the bars of days. */
const dayWords = { day: "Day", today: "Today" } as const;

const HEIGHT = 40;
const WIDTH = 10;

const Chart = styled("div")(({ theme }) => {
  const { palette } = theme.vars ?? theme;
  return {
    position: "relative",
    minWidth: 0,
    // The line at the bottom of the bars: days without one are days, too.
    "& > svg": {
      display: "block",
      width: "100%",
      height: HEIGHT,
      borderBottom: `1px solid ${palette.divider}`,
    },
    "& rect": { fill: palette.line.control, forcedColorAdjust: "none" },
    "& .quiet": { fill: palette.line.strong },
    "& .amber": { fill: palette.status.amber.rule },
    "& .red": { fill: palette.status.red.rule },
    "& > [role=toolbar]": { position: "absolute", inset: `0 0 auto`, display: "flex", height: HEIGHT + 4 },
    "& > [role=toolbar] > *": { flex: "1 1 0", boxSizing: "border-box" },
    "& a": { borderBottom: "3px solid transparent" },
    "& a:hover, & a[aria-current]": { borderBottomColor: palette.text.primary },
    "html body & a:focus-visible": { outlineOffset: -2 },
    "& > p": {
      display: "flex",
      justifyContent: "space-between",
      margin: "6px 0 0",
      ...typeScale.caption,
      color: palette.text.caption,
    },
  };
});

type Day = { day: string; counts: readonly number[] };

type Props = {
  /** Names the chart and its table. */
  label: string;
  /** Parts of a bar, the lowest first. */
  parts: readonly { name: string; look: "plain" | "quiet" | "amber" | "red" }[];
  /** The oldest first, each with a count for each part. */
  days: readonly Day[];
  /** The day by which the list is filtered. */
  shown?: string | null;
  /** Address of the list of a day; of all days for null. */
  toDay(day: string | null): string;
  replace?: boolean;
};

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** Bars of days that filter a list, one stop of the Tab key, and a table of them for screen readers. */
export function DayBars({ label, parts, days, shown = null, toDay, replace = false }: Props) {
  const most = Math.max(1, ...days.map(({ counts }) => sum(counts)));
  const filled = days.filter(({ counts }) => sum(counts) > 0);
  const stop = filled.find(({ day }) => day === shown) ?? filled.at(-1);
  return (
    <Chart>
      <svg viewBox={`0 0 ${days.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {days.flatMap(({ day, counts }, at) =>
          counts.map((count, part) => {
            const top = HEIGHT * (1 - sum(counts.slice(0, part + 1)) / most);
            const height = (HEIGHT * count) / most;
            const look = at < days.length - 1 && parts[part]?.look === "plain" ? "quiet" : parts[part]?.look;
            return (
              <rect
                key={`${day} ${parts[part]?.name}`}
                {...{ x: at * WIDTH + 1, y: top, width: WIDTH - 2, height, className: look }}
              />
            );
          }),
        )}
      </svg>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- a bar of it has the focus */}
      <div role="toolbar" aria-label={label} onKeyDown={moveFocus}>
        {days.map((each) =>
          sum(each.counts) === 0 ? (
            <span key={each.day} />
          ) : (
            <Link
              key={each.day}
              to={toDay(each.day === shown ? null : each.day)}
              replace={replace}
              preventScrollReset={replace}
              tabIndex={each === stop ? 0 : -1}
              aria-label={describe(each, parts)}
              title={describe(each, parts)}
              {...(each.day === shown ? { "aria-current": "true" as const } : {})}
            />
          ),
        )}
      </div>
      <p aria-hidden>
        <span>{formatShortDay(days[0]?.day ?? "")}</span>
        <span>{dayWords.today}</span>
      </p>
      <DayTable label={label} parts={parts} days={days} />
    </Chart>
  );
}

const describe = ({ day, counts }: Day, parts: Props["parts"]) =>
  `${formatShortDay(day)}: ${counts
    .flatMap((count, part) =>
      count > 0 ? [`${formatCount(count)} ${parts[part]?.name.toLowerCase() ?? ""}`] : [],
    )
    .join(", ")}`;

/** Moves from bar to bar by the arrow keys. */
function moveFocus({ key, currentTarget, target }: KeyboardEvent<HTMLElement>): void {
  const bars = [...currentTarget.querySelectorAll("a")];
  const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
  if (step !== 0) bars[bars.findIndex((bar) => bar === target) + step]?.focus();
}

function DayTable({ label, parts, days }: Pick<Props, "label" | "parts" | "days">) {
  return (
    <div style={visuallyHidden}>
      <table>
        <caption>{`${label}, ${counted(days.length, "day")}`}</caption>
        <thead>
          <tr>
            {[dayWords.day, ...parts.map(({ name }) => name)].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, counts }) => (
            <tr key={day}>
              <th scope="row">{formatShortDay(day)}</th>
              {counts.map((count, part) => (
                <td key={parts[part]?.name}>{formatCount(count)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const DAYS = 14;

/** The last 14 days here, YYYY-MM-DD, and when each began; the oldest first, today last. */
export function lastDays(): { day: string; start: Date }[] {
  const now = new Date();
  return Array.from({ length: DAYS }, (_, at) => {
    const start = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (DAYS - 1 - at));
    const digits = (value: number) => String(value).padStart(2, "0");
    return {
      day: `${start.getFullYear()}-${digits(start.getMonth() + 1)}-${digits(start.getDate())}`,
      start,
    };
  });
}
