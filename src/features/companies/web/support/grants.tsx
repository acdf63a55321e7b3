import { endGrant } from "#features/companies/support/contract.ts";
import { grantsQuery } from "#features/companies/web/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { SubmitButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatMoment, formatZoned } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { OpenRow } from "#web/kit/rows.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

/** Texts about support's access to files. */
const words = {
  row: {
    name: "support",
    title: "Support access",
    note: "Who in support can open your files",
    loading: "Loading support access",
  },
  state: (until: string | null) => (until === null ? "None" : `Until ${until}`),
  rule: "Support can open your files only while access is listed here. It ends after 24 hours.",
  none: "Support has no access to your files.",
  until: (from: string, to: string) => `${from} to ${to}`,
  end: "End now",
  ended: "Support's access has ended",
} as const;

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
              <SubmitButton
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
