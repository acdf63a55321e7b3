import type { PaidCtx } from "#features/billing/ctx.ts";
import { syncEventsRun } from "#features/billing/runs.ts";
import { requestRun } from "#platform/runs/store.ts";
import { addEvents } from "#features/billing/store-events.ts";

export type Delivery = { body: Buffer; signature: string | undefined };

/**
 * Takes what Stripe delivers. It is stored and answered; what it is about is read again by a run.
 * @returns false for an event without a trusted signature, or for another mode
 */
export async function receiveEvent(ctx: PaidCtx, { body, signature }: Delivery): Promise<boolean> {
  const event = ctx.payments.readEvent(body, signature);
  if (!event || event.isLive !== ctx.payments.isLive) return false;
  await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now();
    const added = await addEvents(tx, [event], { now, by: "webhook" });
    if (added > 0 && event.subject) await requestRun(tx, syncEventsRun, now);
  });
  return true;
}
