import type { ListRow } from "#features/admin/lists/contract.ts";
import { DetailsButton } from "#features/admin/web/details-button.tsx";
import { showTime } from "#features/admin/web/columns.ts";
import { nameRun } from "#features/admin/web/runs-view.ts";
import { adminWords } from "#features/admin/web/words.ts";
import { readRunLog, type RunLog } from "#features/health/contract.ts";
import { call } from "#web/kit/api-client.ts";
import Box from "@mui/material/Box";

const words = adminWords.runLog;

/** Opens the timeline of a run. */
export const RunLogButton = ({ run }: { run: ListRow<"runs"> }) => (
  <DetailsButton
    words={words}
    subject={nameRun(run)}
    rowKey={run.key}
    read={(signal) =>
      call(readRunLog, { params: { run: run.key }, query: { realm_id: run.realm_id }, signal })
    }
  >
    {(log) => <Timeline run={run} log={log} />}
  </DetailsButton>
);

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
      <li>{words.requested(showTime(run.requested_at), run.requested_by, log.added_by)}</li>
      {log.failures.map((failure) => (
        <li key={failure.at}>
          {words.failed(showTime(failure.at), failure.cause, failure.worked_by)}
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
      <li>{words.now(run.state, run.cause, ended === null ? null : showTime(ended))}</li>
    </Box>
  );
}
