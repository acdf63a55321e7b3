import type { UndoRun } from "#features/invoices/undo/contract.ts";
import { isAtWork } from "#features/invoices/web/undo/queries.ts";
import { StayingTable } from "#features/invoices/web/undo/staying-table.tsx";
import { undoWords as words } from "#features/invoices/web/undo/words.ts";
import { Spinner } from "#web/kit/spinner.tsx";

/** How an undo goes, or how it went. */
export function UndoProgress({ run }: { run: UndoRun }) {
  const { undone, skipped } = run;
  if (isAtWork(run.state)) {
    const working = words.working(run.action, undone.invoices, skipped.invoices);
    return (
      <>
        {run.state === "paused" ? null : <Spinner label={working} />}
        <p>{working}</p>
        <p>{run.sentence}</p>
        <p>{words.goesOn}</p>
      </>
    );
  }
  return (
    <>
      <p>{run.sentence}</p>
      <StayingTable title={words.leftTitle} invoices={run.left} total={skipped.invoices} />
    </>
  );
}
