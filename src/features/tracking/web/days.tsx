import type { TrackingView } from "#features/tracking/contract.ts";
import type { Selection } from "#features/tracking/web/use-selection.ts";
import { trackingWords } from "#features/tracking/web/words.ts";
import { DayBars, lastDays } from "#web/kit/day-bars.tsx";
import Box from "@mui/material/Box";

const words = trackingWords.days;

const PARTS = [
  { name: words.delivered, look: "quiet" },
  { name: words.withoutProof, look: "amber" },
  { name: words.delayed, look: "amber" },
  { name: words.attention, look: "red" },
] as const;

const COLORS = [
  { name: words.delivered, color: "line.strong" },
  { name: words.amber, color: "status.amber.rule" },
  { name: words.attention, color: "status.red.rule" },
] as const;

/** Names the chart and the color of each part; the chart's table says it to screen readers. */
const legend = {
  display: "flex",
  flexWrap: "wrap",
  gap: "4px 16px",
  m: 0,
  mb: 1,
  typography: "caption",
  color: "text.caption",
  "& > :first-of-type": { mr: "auto" },
  "& > :not(:first-of-type)": { display: "inline-flex", alignItems: "center", gap: 0.75 },
  "& > :not(:first-of-type)::before": {
    content: '""',
    width: 8,
    height: 8,
    borderRadius: "2px",
    forcedColorAdjust: "none",
  },
} as const;

/** The last 14 days, which filter the list. */
export function Days({ days, selection }: { days: TrackingView["days"]; selection: Selection }) {
  const byDay = new Map(days.map((each) => [each.day, each]));
  return (
    <>
      <Box component="p" aria-hidden sx={legend}>
        <span>{words.label}</span>
        {COLORS.map(({ name, color }) => (
          <Box key={name} component="span" sx={{ "&::before": { backgroundColor: color } }}>
            {name}
          </Box>
        ))}
      </Box>
      <DayBars
        label={words.label}
        parts={PARTS}
        days={lastDays().map(({ day }) => {
          const {
            delivered = 0,
            attention = 0,
            delayed = 0,
            without_proof: lacking = 0,
          } = byDay.get(day) ?? {};
          return { day, counts: [delivered - lacking, lacking, delayed, attention - delayed] };
        })}
        shown={selection.day}
        toDay={selection.toDay}
        replace
      />
    </>
  );
}
