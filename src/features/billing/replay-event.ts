import type { Audited } from "#features/audit/index.ts";
import { syncEventsRun } from "#features/billing/runs.ts";
import { reopenEvent } from "#features/billing/store-events.ts";
import type { Ctx } from "#platform/ctx.ts";
import { notFound } from "#platform/errors.ts";
import { requestRun } from "#platform/runs/store.ts";

/**
 * Reads what an event is about from Stripe once more, for an operator.
 * @throws AppError 404 for an unknown event, or one that concerns nothing here
 */
export async function replayEvent(
  ctx: Ctx & Audited,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await reopenEvent(tx, id))) throw notFound("There is no event with this ID that can be replayed.");
    await requestRun(tx, syncEventsRun, ctx.clock.now());
    await ctx.audit(tx, { action: "admin.replay_webhook", ids: { event: id }, after: { reason } });
  });
}
