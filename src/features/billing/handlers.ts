import { bindJob, type BoundJob } from "#platform/jobs/define-job.ts";
import type { BillingCtx, PaidCtx } from "#features/billing/ctx.ts";
import { readEventsJob, syncAllJob, syncEventsJob } from "#features/billing/jobs.ts";
import { listOffers } from "#features/billing/refresh-prices.ts";
import { readEvents, syncEvents } from "#features/billing/sync-events.ts";
import { syncAll } from "#features/billing/sync-customer.ts";

/** What runs for billing's jobs; none where nothing is sold. */
export function billingJobs({ payments, ...rest }: BillingCtx): BoundJob[] {
  if (!payments) return [];
  const ctx = { ...rest, payments };
  const readAndSync = async (_ctx: PaidCtx, _payload: object, stop: AbortSignal) => {
    await listOffers(ctx);
    const isComplete = await readEvents(ctx);
    await syncEvents(ctx, {}, stop);
    if (!isComplete) await syncAll(ctx, stop);
  };
  return [
    bindJob(syncEventsJob, syncEvents, ctx),
    bindJob(readEventsJob, readAndSync, ctx),
    bindJob(syncAllJob, (_ctx, _payload, stop) => syncAll(ctx, stop), ctx),
  ];
}
