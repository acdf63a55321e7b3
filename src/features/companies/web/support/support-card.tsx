import { endGrant, listGrants } from "#features/companies/support/contract.ts";
import { supportWords as words } from "#features/companies/web/support/words.ts";
import { call } from "#web/kit/api-client.ts";
import { TriedButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { FoldedCard } from "#web/kit/folded-card.tsx";
import { formatDateTime } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { Loading } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

/** Grants under which operators may open files of the current company. */
export const SupportCard = () => (
  <FoldedCard words={words}>{(realmId) => <Grants realmId={realmId} />}</FoldedCard>
);

function Grants({ realmId }: { realmId: string }) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.supportGrants(realmId),
    queryFn: ({ signal }) => call(listGrants, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
  });
  const end = useMutation({
    mutationFn: (id: string) => call(endGrant, { query: { realm_id: realmId, grant_id: id } }),
    onSuccess: () => announce(words.ended),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.supportGrants(realmId) }),
  });
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {data?.grants.length === 0 ? <p role="status">{words.none}</p> : null}
        <Box component="ul" sx={LIST}>
          {data?.grants.map(({ id, operator, reason, started_at: from, ends_at: to }) => (
            <ListRow
              key={id}
              name={operator}
              facts={[reason, words.until(formatDateTime(from), formatDateTime(to))]}
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
