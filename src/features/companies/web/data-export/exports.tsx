import { type DataExport, downloadExport, requestExport } from "#features/companies/data-export/contract.ts";
import { exportWords as words } from "#features/companies/web/data-export/words.ts";
import { exportsQuery, isMaking } from "#features/companies/web/queries.ts";
import { call } from "#web/kit/api-client.ts";
import { SubmitButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatBytes, formatMoment, formatZoned } from "#web/kit/format.ts";
import { LIST, ListRow } from "#web/kit/lists.tsx";
import { useAnnounce } from "#web/kit/live-region.tsx";
import { queryKeys } from "#web/kit/query-client.ts";
import { OpenRow } from "#web/kit/rows.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { PlainLink } from "#web/kit/text-link.tsx";
import Box from "@mui/material/Box";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

type Props = { realmId: string };

/** Exports of all data of a company. */
export function ExportsRow({ realmId }: Props) {
  const { data } = useQuery(exportsQuery(realmId));
  return (
    <OpenRow {...words.row} state={data ? describeState(data.exports) : null}>
      <Exports realmId={realmId} />
    </OpenRow>
  );
}

function describeState(exports: readonly DataExport[]): string {
  if (exports.some(isMaking)) return words.inProgress;
  const made = exports.find(({ state }) => state === "made");
  return made ? words.keptUntil(formatZoned(made.expires_at ?? "")) : words.noneYet;
}

function Exports({ realmId }: Props) {
  const queries = useQueryClient();
  const announce = useAnnounce();
  const { data, error, isPending, refetch } = useQuery(exportsQuery(realmId));
  const make = useMutation({
    mutationFn: () => call(requestExport, { query: { realm_id: realmId } }),
    onSuccess: () => announce(words.started),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.dataExports(realmId) }),
  });
  const exports = data?.exports ?? [];
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.row.loading}>
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: "8px 12px", mb: 1 }}>
          <SubmitButton
            label={words.make}
            isBusy={make.isPending}
            disabled={exports.some(isMaking)}
            error={make.error}
            onClick={() => make.mutate()}
          />
          {data && exports.length === 0 ? (
            <Box component="span" role="status" sx={{ typography: "caption", color: "text.caption" }}>
              {words.none}
            </Box>
          ) : null}
        </Box>
        <Box component="p" sx={{ my: 1, typography: "caption", color: "text.caption" }}>
          {words.leftOut}
        </Box>
        <Box component="ul" sx={LIST}>
          {exports.map((each) => (
            <ListRow
              key={each.id}
              name={words.name(formatMoment(each.requested_at))}
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
    </>
  );
}

function describe({ state, files, size_bytes: bytes, sha256, expires_at: until }: DataExport): string[] {
  if (state === "making") return [words.making(files)];
  if (state === "failed") return [words.failed];
  return [words.size(formatBytes(bytes ?? 0), formatMoment(until ?? "")), words.hash(sha256 ?? "")];
}

/** A plain link, so that the browser saves a large archive as it arrives. */
const fileAddress = (realmId: string, id: string) =>
  `${downloadExport.path.replace(":export_id", id)}?${new URLSearchParams({ realm_id: realmId }).toString()}`;
