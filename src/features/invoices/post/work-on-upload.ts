import { findHalt } from "#features/books/index.ts";
import type { InvoicesCtx } from "#features/invoices/ctx.ts";
import type { UploadRun } from "#features/invoices/ledger/store-entries.ts";
import { refreshSummary, withSummary } from "#features/invoices/results/refresh-summary.ts";
import { FileRefused } from "#formats/facts.ts";
import { IntuitError, leavesInDoubt } from "#integrations/intuit/errors.ts";
import { ObjectMissing } from "#integrations/objects/object-store.ts";
import type { Db } from "#platform/db/connect.ts";
import { LeaseLost } from "#platform/runs/fence.ts";
import { holdIfOpen } from "#platform/runs/store.ts";
import { MAX_FAILURES, retryAfterMs } from "#platform/runs/times.ts";
import type { EndInTransaction, Ending, HeldRun } from "#platform/runs/types.ts";
import type { Cause as WriteCause } from "#platform/writes/evidence.ts";
import type { JobEnd } from "#platform/writes/run-writes.ts";

/** Converts a run to the upload it is about. */
export const uploadForRun = (run: HeldRun): UploadRun => ({ realmId: run.realmId, id: run.subject, run });

/**
 * Works on an upload, posting or undoing it, and saves the state that its ending means, for users and for the
 * next start. A run that waits for QuickBooks resumes automatically, however long that takes; one that waits
 * for a user is woken by the reconnection.
 * @param save writes the consequences of the ending for the ledger's open writes
 * @throws LeaseLost if another process has taken the run
 */
export async function workOnUpload(
  ctx: InvoicesCtx,
  uploadRun: UploadRun,
  { work, save }: { work(): Promise<Ending>; save(tx: Db, ending: Ending): Promise<void> },
): Promise<EndInTransaction> {
  const { realmId } = uploadRun;
  const grant = await ctx.findGrant(realmId);
  const found = await workOrFail(ctx, uploadRun, work);
  return async (tx, saveEnding) => {
    await withSummary(tx, uploadRun, async () => {
      const continues = await canContinue(ctx, tx, { realmId, ending: found, grant });
      const ending: Ending = continues ? { state: "queued" } : found;
      await save(tx, ending);
      await saveEnding(ending);
    });
  };
}

async function workOrFail(
  ctx: InvoicesCtx,
  uploadRun: UploadRun,
  work: () => Promise<Ending>,
): Promise<Ending> {
  try {
    await refreshSummary(ctx, uploadRun);
    return await work();
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    const ending = failureEnding(error, uploadRun.run, ctx.clock.now());
    const about = { err: error, upload: uploadRun.id, state: ending.state };
    if (ending === FAILED) ctx.log.error(about, "Work on an upload failed too often");
    else ctx.log.warn(about, "Work on an upload ended early or waits");
    return ending;
  }
}

type Found = { realmId: string; ending: Ending; grant: string | null };

/** Whether the awaited event has happened meanwhile: then the work continues. */
async function canContinue(ctx: InvoicesCtx, tx: Db, { realmId, ending, grant }: Found): Promise<boolean> {
  if (ending.state !== "waiting") return false;
  const { code, params } = ending.cause;
  if (code === "reconnect") return !(await ctx.onReconnectNeeded(tx, { realmId, grant }));
  return code === "waiting_for_undo" && !(await holdIfOpen(tx, { realmId, id: String(params?.["undo_id"]) }));
}

/** Attempt from which the work waits for QuickBooks instead of failing. */
const WAIT_FROM_ATTEMPT = 3;
const RETRY_AFTER_MS = 5 * 60_000;

/** Ending after too many failures on our side. */
export const FAILED: Ending = { state: "stopped", cause: { code: "failed" } };

/**
 * Decides the ending after a failure. QuickBooks' outages never end the work; only our own failures do, and a
 * file that cannot be used although it was accepted.
 */
function failureEnding(error: unknown, run: Pick<HeldRun, "failures" | "waitedFor">, now: Date): Ending {
  const halt = findHalt(error);
  if (halt) return haltEnding(halt);
  if (error instanceof FileRefused)
    return {
      state: "stopped",
      cause: { code: "file_refused", params: { ...error.params, refusal: error.code } },
    };
  if (error instanceof ObjectMissing) return { state: "stopped", cause: { code: "file_missing" } };
  const isAway = error instanceof IntuitError && leavesInDoubt(error);
  const failures = run.failures + 1;
  const hasWaited = run.failures === 0 && run.waitedFor?.code === "no_answer";
  if (isAway && (hasWaited || failures >= WAIT_FROM_ATTEMPT))
    return waitUntil("no_answer", now.getTime() + RETRY_AFTER_MS);
  if (failures >= MAX_FAILURES) return FAILED;
  const dueAt = new Date(now.getTime() + retryAfterMs(failures));
  const cause = isAway ? { code: "no_answer" } : { code: "failed_once", params: { at: dueAt.toISOString() } };
  return { state: "waiting", cause, dueAt, failed: true, error };
}

/** Decides the ending after the end of its writes. */
export function jobEnding(end: JobEnd): Ending {
  switch (end.kind) {
    case "done":
      return { state: "done" };
    case "interrupted":
    case "sliceOver":
      return { state: "queued" };
    case "waiting":
      return waitUntil(end.cause.code, end.until.getTime());
    case "halted":
      return haltEnding(end.cause);
  }
}

/** QuickBooks rejects all writes of the company: the work waits for a user to reconnect, or stops. */
const haltEnding = ({ code, tid }: WriteCause): Ending =>
  code === "reconnect"
    ? { state: "waiting", cause: { code }, dueAt: null }
    : { state: "stopped", cause: { code, params: { tid } } };

export const waitUntil = (code: string, untilMs: number): Ending => ({
  state: "waiting",
  cause: { code },
  dueAt: new Date(untilMs),
});
