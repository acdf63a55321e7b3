import type { PaidCtx } from "#features/billing/ctx.ts";
import { addJob } from "#platform/jobs/add-job.ts";
import { syncEventsJob } from "#features/billing/jobs.ts";
import { addEvents } from "#features/billing/store-events.ts";

export type Delivery = { body: Buffer; signature: string | undefined };

/**
 * Takes what Stripe delivers. It is stored and answered; what it is about is read again by a job.
 * @returns false for what nobody we trust has signed, or what is for another mode
 */
export async function receiveEvent(ctx: PaidCtx, { body, signature }: Delivery): Promise<boolean> {
  const event = ctx.payments.readEvent(body, signature);
  if (!event || event.isLive !== ctx.payments.isLive) return false;
  await ctx.db.transaction().execute(async (tx) => {
    const added = await addEvents(tx, [event], { now: ctx.clock.now(), by: "webhook" });
    if (added > 0 && event.subject) await addJob(tx, syncEventsJob, { payload: {}, maxAttempts: 5 });
  });
  return true;
}
