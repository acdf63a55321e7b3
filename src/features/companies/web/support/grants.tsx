import { endGrant } from "#features/companies/support/contract.ts";
import { grantsQuery } from "#features/companies/web/queries.ts";
import { supportWords as words } from "#features/companies/web/support/words.ts";
import { call } from "#web/kit/api-client.ts";
import { TriedButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatMoment, formatZoned } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { OpenRow } from "#web/kit/rows.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

type Props = { realmId: string };

/** Grants under which operators may open files of a company. */
export function SupportRow({ realmId }: Props) {
  const { data } = useQuery(grantsQuery(realmId));
  const last = data?.grants
    .map(({ ends_at: to }) => to)
    .toSorted()
    .at(-1);
  return (
    <OpenRow {...words.row} state={data ? words.state(last === undefined ? null : formatZoned(last)) : null}>
      <Grants realmId={realmId} />
    </OpenRow>
  );
}

function Grants({ realmId }: Props) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { data, error, isPending, refetch } = useQuery(grantsQuery(realmId));
  const end = useMutation({
    mutationFn: (id: string) => call(endGrant, { query: { realm_id: realmId, grant_id: id } }),
    onSuccess: () => announce(words.ended),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.supportGrants(realmId) }),
  });
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.row.loading}>
        <p role="status">{data?.grants.length === 0 ? words.none : words.rule}</p>
        <Box component="ul" sx={LIST}>
          {data?.grants.map(({ id, operator, reason, started_at: from, ends_at: to }) => (
            <ListRow
              key={id}
              name={operator}
              facts={[reason, words.until(formatMoment(from), formatMoment(to))]}
            >
              <TriedButton
                label={words.end}
                detail={operator}
                isBusy={end.isPending && end.variables === id}
                error={end.variables === id ? end.error : null}
                onClick={() => end.mutate(id)}
              />
            </ListRow>
          ))}
        </Box>
      </Loading>
    </>
  );
}
