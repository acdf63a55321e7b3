import { listDifferences } from "#features/differences/contract.ts";
import { differenceWords as words } from "#features/differences/web/words.ts";
import { call } from "#web/kit/api-client.ts";
import { Chip } from "#web/kit/chip.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatMoment } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { OpenRow } from "#web/kit/rows.tsx";
import Box from "@mui/material/Box";
import { useQuery } from "@tanstack/react-query";

/** Differences of a company from the vendors' records, each with its cure. */
export function DifferencesRow({ realmId }: { realmId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.differences(realmId),
    queryFn: ({ signal }) => call(listDifferences, { query: { realm_id: realmId }, signal }),
  });
  const count = data?.differences.length ?? 0;
  const state = count > 0 ? <Chip tone="amber">{words.count(count)}</Chip> : data ? words.noneState : null;
  return (
    <OpenRow {...words.row} state={state}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      {data ? <p>{count > 0 ? words.unchanged : words.none}</p> : null}
      <Box component="ul" aria-label={words.row.title} sx={LIST}>
        {data?.differences.map(({ vendor, sentence, cure, found_at }) => (
          <ListRow
            key={`${vendor} ${sentence}`}
            name={sentence}
            facts={[cure, words.found(formatMoment(found_at))]}
          />
        ))}
      </Box>
    </OpenRow>
  );
}
