import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import { conflict } from "#platform/errors.ts";
import { makeDue } from "#platform/runs/store.ts";

/** Makes a waiting run due now, with a reason for the audit trail. @throws Conflict if it does not wait */
export async function retryWaiting(
  ctx: Ctx & Audited,
  { realmId, id, reason }: { realmId: string; id: string; reason: string },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const kind = await makeDue(tx, { realmId, id, now: ctx.clock.now() });
    if (kind === null) throw conflict("run_not_waiting", "This run isn't waiting any more. Reload the list.");
    await ctx.audit(tx, {
      action: "admin.retry_run",
      ids: { run: id, kind, company: realmId },
      after: { reason },
    });
  });
}
