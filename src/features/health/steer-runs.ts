import type { RunLog } from "#features/health/contract.ts";
import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { conflict, notFound } from "#platform/errors.ts";
import { cancelRuns, findRunLog, makeDue } from "#platform/runs/store.ts";

/** Makes a waiting run due now, with a reason for the audit trail. @throws Conflict if it does not wait */
export async function retryWaiting(
  ctx: Ctx & Audited,
  { realmId, id, reason }: { realmId: string; id: string; reason: string },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const kind = await makeDue(tx, { realmId, id, now: ctx.clock.now() });
    if (kind === null) throw conflict("run_not_waiting", "This run isn't waiting anymore. Reload the list.");
    await ctx.audit(tx, {
      action: "admin.retry_run",
      ids: { run: id, kind, company: realmId },
      after: { reason },
    });
  });
}

type Cancellation = { realmId: string; id: string; reason: string; by: string; kinds: readonly string[] };

/**
 * Cancels an open run, with a reason for the audit trail.
 * @param cancellation.kinds of runs that can be canceled
 * @throws Conflict if it has ended, or is of another kind
 */
export async function cancelOpen(
  ctx: Ctx & Audited,
  { realmId, id, reason, by, kinds }: Cancellation,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const [run] = await cancelRuns(tx, { realmId, id, kinds }, { by, now: ctx.clock.now() });
    if (!run)
      throw conflict("run_not_cancelable", "This run has ended, or can't be canceled. Reload the list.");
    await ctx.audit(tx, {
      action: "admin.cancel_run",
      ids: { run: id, kind: run.kind, company: realmId },
      after: { reason },
    });
  });
}

/** Reads what happened to a run. @throws AppError 404 if there is none */
export async function readLog({ db }: Ctx, run: { realmId: string; id: string }): Promise<RunLog> {
  const log = await findRunLog(db, run);
  if (!log) throw notFound("There is no run with this ID.");
  return {
    added_by: log.addedBy,
    deaths: log.starts,
    canceled_by: log.canceledBy,
    failures: log.failures.map(({ at, workedBy, ...failure }) => ({
      ...failure,
      at: at.toISOString(),
      worked_by: workedBy,
    })),
  };
}
