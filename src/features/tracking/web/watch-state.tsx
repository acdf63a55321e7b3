import { formatMoment, isSoon } from "#features/tracking/web/format-time.ts";
import { trackingQuery } from "#features/tracking/web/queries.ts";
import { trackingWords } from "#features/tracking/web/words.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatCount } from "#web/kit/format.ts";
import { Skeleton } from "#web/kit/skeleton.tsx";
import { TextLink } from "#web/kit/text-link.tsx";
import { typeScale } from "#web/theme/type-scale.ts";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";

const words = trackingWords.settingsPart;

/** Proof in Settings that following works: last and next check, packages, and the last problem. */
export function WatchState({ realmId }: { realmId: string }) {
  const { data, error, isPending, refetch } = useQuery(trackingQuery(realmId));
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id} sx={{ mt: 4 }}>
      <Box component="p" id={id} sx={{ m: 0, mb: 1, ...typeScale.lead }}>
        {words.title}
      </Box>
      <Skeleton isBusy={isPending} label={words.loading} rows={4} columns={2} height={36}>
        {data ? (
          <Box
            component="dl"
            sx={{
              display: "grid",
              gridTemplateColumns: "minmax(0, 11rem) minmax(0, 1fr)",
              m: 0,
              typography: "body2",
              "& > *": { m: 0, py: 1, borderBottom: 1, borderColor: "divider" },
              // No gap between the columns: it would interrupt the lines.
              "& > dt": { pr: 2, color: "text.secondary" },
            }}
          >
            <dt>{words.last}</dt>
            <dd>{data.checked_at === null ? words.notYet : formatMoment(data.checked_at)}</dd>
            <dt>{words.watched}</dt>
            <dd>{formatCount(data.counts.watched)}</dd>
            <dt>{words.next}</dt>
            <dd>
              {data.next_check_at !== null
                ? isSoon(data.next_check_at)
                  ? words.soon
                  : formatMoment(data.next_check_at)
                : data.ups_state === "connected"
                  ? words.none
                  : words.needsAccount}
            </dd>
            <dt>{words.problem}</dt>
            <dd>
              {data.problem === "" ? words.none : data.problem}
              {data.problem_at === null ? null : (
                <Box component="span" sx={{ display: "block", typography: "caption", color: "text.caption" }}>
                  {formatMoment(data.problem_at)}
                </Box>
              )}
            </dd>
          </Box>
        ) : null}
      </Skeleton>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Box component="p" sx={{ m: 0, mt: 1.5 }}>
        <TextLink to="/tracking/">{words.link}</TextLink>
      </Box>
    </Box>
  );
}
