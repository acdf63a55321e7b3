import {
  type DataExport,
  downloadExport,
  listExports,
  requestExport,
} from "#features/companies/data-export/contract.ts";
import { readStorage } from "#features/companies/storage/contract.ts";
import { exportWords as words } from "#features/companies/web/data-export/words.ts";
import { call } from "#web/kit/api-client.ts";
import { TriedButton } from "#web/kit/busy-button.tsx";
import { FoldedCard } from "#web/kit/folded-card.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatBytes, formatDateTime } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { Loading } from "#web/kit/spinner.tsx";
import { StoredList } from "#web/kit/stored/stored-list.tsx";
import { storedWords } from "#web/kit/stored/words.ts";
import { PlainLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

/** Exports of all data of the current company. */
export const ExportCard = () => (
  <FoldedCard words={words}>{(realmId) => <Exports realmId={realmId} />}</FoldedCard>
);

const POLL_MS = 2_000;

function Exports({ realmId }: { realmId: string }) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.dataExports(realmId),
    queryFn: ({ signal }) => call(listExports, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.exports.some(isMaking) ? POLL_MS : false),
  });
  const make = useMutation({
    mutationFn: () => call(requestExport, { query: { realm_id: realmId } }),
    onSuccess: () => announce(words.started),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.dataExports(realmId) }),
  });
  const exports = data?.exports ?? [];
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        <Box sx={{ my: 2 }}>
          <TriedButton
            label={words.make}
            isBusy={make.isPending}
            disabled={exports.some(isMaking)}
            error={make.error}
            onClick={() => make.mutate()}
          />
        </Box>
        {data && exports.length === 0 ? <p role="status">{words.none}</p> : null}
        <Box component="ul" sx={LIST}>
          {exports.map((each) => (
            <ListRow
              key={each.id}
              name={words.name(formatDateTime(each.requested_at))}
              facts={[words.by(each.requested_by), ...describe(each)]}
            >
              {each.state === "made" ? (
                <PlainLink href={fileAddress(realmId, each.id)} download>
                  {words.download}
                </PlainLink>
              ) : null}
            </ListRow>
          ))}
        </Box>
      </Loading>
      <Stored realmId={realmId} />
    </>
  );
}

function Stored({ realmId }: { realmId: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: queryKeys.storage(realmId),
    queryFn: ({ signal }) => call(readStorage, { query: { realm_id: realmId }, signal }),
    staleTime: 0,
  });
  return (
    <>
      <Box component="h3" sx={{ mt: 4, mb: 0, fontSize: "1.0625rem", fontWeight: 700 }}>
        {storedWords.title}
      </Box>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.counting}>
        {data ? <StoredList storage={data.storage} /> : null}
      </Loading>
    </>
  );
}

const isMaking = ({ state }: DataExport) => state === "making";

function describe({ state, files, size_bytes: bytes, sha256, expires_at: until }: DataExport): string[] {
  if (state === "making") return [words.making(files)];
  if (state === "failed") return [words.failed];
  return [words.size(formatBytes(bytes ?? 0), formatDateTime(until ?? "")), words.hash(sha256 ?? "")];
}

/** A plain link, so that the browser saves a large archive as it arrives. */
const fileAddress = (realmId: string, id: string) =>
  `${downloadExport.path.replace(":export_id", id)}?${new URLSearchParams({ realm_id: realmId }).toString()}`;
