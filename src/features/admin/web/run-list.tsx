import { adminWords } from "#features/admin/web/words.ts";
import { listRuns, MAX_REASON, retryRun, type ListedRun } from "#features/health/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { TriedButton } from "#web/kit/busy-button.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { formatDateTime } from "#web/kit/format.ts";
import { Loading } from "#web/kit/spinner.tsx";
import { TextInput } from "#web/kit/text-input.tsx";
import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

const words = adminWords.runs;
const KEY = ["runs"];

/** Open runs, those that failed most often first. */
export function RunList() {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(listRuns, { signal }),
    staleTime: 0,
  });
  return (
    <>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {data?.runs.length === 0 ? <p>{words.none}</p> : null}
        {data?.runs.map((run) => (
          <Run key={run.id} run={run} />
        ))}
      </Loading>
    </>
  );
}

function Run({ run }: { run: ListedRun }) {
  return (
    <Box component="article" sx={{ py: 2, borderTop: 1, borderColor: "divider", overflowWrap: "anywhere" }}>
      <Typography variant="h3">{run.kind}</Typography>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2, color: "text.secondary" }}>
        <span>{[words.states[run.state], run.cause].filter(Boolean).join(": ")}</span>
        {run.failures > 0 ? <span>{words.failures(run.failures)}</span> : null}
        {run.realm_id ? <span>{words.company(run.realm_id)}</span> : null}
        <span>{words.requested(formatDateTime(run.requested_at))}</span>
        {run.due_at ? <span>{words.due(formatDateTime(run.due_at))}</span> : null}
        {run.request_id ? <span>{adminWords.supportId(run.request_id)}</span> : null}
      </Box>
      {run.state === "waiting" ? <RetryForm run={run} /> : null}
    </Box>
  );
}

function RetryForm({ run: { realm_id, id, kind } }: { run: ListedRun }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const retry = useMutation({
    mutationFn: () => call(retryRun, { body: { realm_id, id, reason } }),
    onSuccess: () => setReason(""),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Box
      component="form"
      sx={{ display: "flex", flexWrap: "wrap", gap: 2, alignItems: "end", mt: 1 }}
      onSubmit={(event) => {
        event.preventDefault();
        retry.mutate();
      }}
    >
      <TextInput
        label={words.reason}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        maxLength={MAX_REASON}
        required
      />
      <TriedButton
        type="submit"
        label={words.retry}
        detail={kind}
        isBusy={retry.isPending}
        error={retry.error}
      />
    </Box>
  );
}
