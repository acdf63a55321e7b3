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

/** The last 14 days, which filter the list. */
export function Days({ days, selection }: { days: TrackingView["days"]; selection: Selection }) {
  const byDay = new Map(days.map((each) => [each.day, each]));
  return (
    <>
      <Box component="p" sx={{ typography: "caption", color: "text.caption", m: 0, mb: 1 }}>
        {words.colors}
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
