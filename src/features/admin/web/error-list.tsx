import { adminWords } from "#features/admin/web/words.ts";
import { listErrors, type ErrorCause } from "#features/telemetry/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatDateTime } from "#web/kit/format.ts";
import { Loading } from "#web/kit/spinner.tsx";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";

const words = adminWords.errors;

/** Errors of pages and of the server by cause, the latest first. */
export function ErrorList() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ["errors"],
    queryFn: ({ signal }) => call(listErrors, { signal }),
  });
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {data?.errors.length === 0 ? <p>{words.none}</p> : null}
        {data?.errors.map((cause) => (
          <Cause key={cause.fingerprint} cause={cause} />
        ))}
      </Loading>
    </>
  );
}

function Cause({ cause }: { cause: ErrorCause }) {
  const [first, last] = [formatDateTime(cause.first_at), formatDateTime(cause.last_at)];
  return (
    <Box component="article" sx={{ py: 2, borderTop: 1, borderColor: "divider", overflowWrap: "anywhere" }}>
      <Typography variant="h3">{cause.title}</Typography>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2, color: "text.secondary" }}>
        <span>{`${words.count(cause.count)} ${words.sources[cause.source]}`}</span>
        <span>{cause.place}</span>
        <span>{words.between(first, last)}</span>
        <span>{cause.release}</span>
        {cause.user ? <span>{words.of(cause.user)}</span> : null}
        {cause.request_id ? <span>{adminWords.supportId(cause.request_id)}</span> : null}
      </Box>
      {cause.stack.length > 0 ? (
        <details>
          <summary>{words.stack}</summary>
          <Box component="pre" sx={{ typography: "caption", whiteSpace: "pre-wrap" }}>
            {cause.stack.join("\n")}
          </Box>
        </details>
      ) : null}
    </Box>
  );
}
