import { adminWords } from "#features/admin/web/words.ts";
import { listRecordings, playRecording, type Recording } from "#features/telemetry/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatDateTime } from "#web/kit/format.ts";
import { Loading } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";

const words = adminWords.recordings;

/** Lists recordings of pages before their errors, the latest first; each is played by a page of its own. */
export function RecordingList() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["recordings"],
    queryFn: ({ signal }) => call(listRecordings, { signal }),
  });
  return (
    <>
      <p>{words.lead}</p>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {data?.recordings.length === 0 ? <p>{words.none}</p> : null}
        {data?.recordings.map((recording) => (
          <Entry key={recording.id} recording={recording} />
        ))}
      </Loading>
    </>
  );
}

function Entry({ recording: { id, page, user, error, release, ...times } }: { recording: Recording }) {
  const at = formatDateTime(times.started_at);
  const seconds = Math.round((Date.parse(times.ended_at) - Date.parse(times.started_at)) / 1_000);
  return (
    <Box component="article" sx={{ py: 2, borderTop: 1, borderColor: "divider", overflowWrap: "anywhere" }}>
      <Typography variant="h3">{error ?? words.noReport}</Typography>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2, color: "text.secondary" }}>
        <span>{page}</span>
        <span>{at}</span>
        <span>{words.length(seconds)}</span>
        <span>{user ?? words.guest}</span>
        <span>{release}</span>
        <Link
          href={playRecording.path.replace(":recording_id", id)}
          aria-label={`${words.play} ${words.ofPage(page, at)}`}
        >
          {words.play}
        </Link>
      </Box>
    </Box>
  );
}
