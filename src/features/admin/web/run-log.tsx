import { ADMIN_KEY } from "#features/admin/web/keys.ts";
import { formatShortTime } from "#features/admin/web/lists.ts";
import { adminWords } from "#features/admin/web/words.ts";
import type { ListRow } from "#features/admin/lists/contract.ts";
import { readRunLog, type RunLog } from "#features/health/contract.ts";
import { call } from "#web/kit/api-client.ts";
import { Dialog } from "#web/kit/dialog.tsx";
import { FailedCall } from "#web/kit/failed-call.tsx";
import { Loading } from "#web/kit/spinner.tsx";
import { visuallyHidden } from "#web/kit/visually-hidden.ts";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";

const words = adminWords.runLog;

/** Opens the timeline of a run. */
export function RunLogButton({ run }: { run: ListRow<"runs"> }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="text" size="small" onClick={() => setOpen(true)}>
        <span>{words.title}</span>
        <span style={visuallyHidden}>&nbsp;{run.key}</span>
      </Button>
      {isOpen ? <RunLogDialog run={run} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function RunLogDialog({ run, onClose }: { run: ListRow<"runs">; onClose: () => void }) {
  const close = useRef<HTMLButtonElement>(null);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [ADMIN_KEY, "run", run.key],
    queryFn: ({ signal }) =>
      call(readRunLog, { params: { run: run.key }, query: { realm_id: run.realm_id }, signal }),
    staleTime: 0,
  });
  return (
    <Dialog title={words.about(run.kind)} first={close} onClose={onClose}>
      <FailedCall error={error} onRetry={() => void refetch()} />
      <Loading isBusy={isPending} label={words.loading}>
        {data ? <Timeline run={run} log={data} /> : null}
      </Loading>
      <Box sx={{ mt: 3 }}>
        <Button ref={close} variant="outlined" onClick={onClose}>
          {words.close}
        </Button>
      </Box>
    </Dialog>
  );
}

function Timeline({ run, log }: { run: ListRow<"runs">; log: RunLog }) {
  const ended = run.finished_at ?? run.due_at;
  return (
    <Box
      component="ol"
      sx={{
        m: 0,
        p: 0,
        listStyle: "none",
        overflowWrap: "anywhere",
        "& > li": { py: 1, borderTop: 1, borderColor: "divider" },
      }}
    >
      <li>{words.requested(formatShortTime(run.requested_at), run.requested_by, log.added_by)}</li>
      {log.failures.map((failure) => (
        <li key={failure.at}>
          {words.failed(formatShortTime(failure.at), failure.cause, failure.worked_by)}
          <div>{failure.message}</div>
          <details>
            <summary>{adminWords.errors.stack}</summary>
            <Box component="pre" sx={{ typography: "caption", whiteSpace: "pre-wrap" }}>
              {failure.stack}
            </Box>
          </details>
        </li>
      ))}
      {log.deaths > 0 ? <li>{words.deaths(log.deaths)}</li> : null}
      {log.canceled_by === null ? null : <li>{words.canceled(log.canceled_by)}</li>}
      <li>{words.now(run.state, run.cause, ended === null ? null : formatShortTime(ended))}</li>
    </Box>
  );
}
