import type { UndoRun } from "#features/invoices/undo/contract.ts";
import { isAtWork } from "#features/invoices/web/undo/queries.ts";
import { StayingTable } from "#features/invoices/web/undo/staying-table.tsx";
import { undoWords as words } from "#features/invoices/web/undo/words.ts";
import { formatCount } from "#web/kit/format.ts";
import { Spinner } from "#web/kit/spinner.tsx";

/** How an undo goes, or how it went. */
export function UndoProgress({ run }: { run: UndoRun }) {
  const undone = words.invoices(run.undone.invoices, formatCount(run.undone.invoices));
  const skipped = words.invoices(run.skipped.invoices, formatCount(run.skipped.invoices));
  if (isAtWork(run.state)) {
    return (
      <>
        {run.state === "paused" ? null : <Spinner label={words.working(undone, skipped)} />}
        <p>{words.working(undone, skipped)}</p>
        <p>{run.sentence}</p>
        <p>{words.goesOn}</p>
      </>
    );
  }
  return (
    <>
      <p>{run.sentence || words.finished(undone, skipped)}</p>
      <StayingTable title={words.leftTitle} invoices={run.left} total={run.skipped.invoices} />
    </>
  );
}
