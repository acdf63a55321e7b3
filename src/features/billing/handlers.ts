import type { BillingCtx } from "#features/billing/ctx.ts";
import { readEvents, syncAll, syncEvents } from "#features/billing/events.ts";
import { listOffers } from "#features/billing/prices.ts";
import { readEventsRun, syncAllRun, syncEventsRun } from "#features/billing/runs.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import type { Ending } from "#platform/runs/types.ts";

/** The runs of billing; none if nothing is sold. */
export function billingRuns({ payments, ...rest }: BillingCtx): BoundRun[] {
  if (!payments) return [];
  const ctx = { ...rest, payments };
  return [
    bindRun(syncEventsRun, syncEvents, ctx),
    bindRun(
      readEventsRun,
      async (_ctx, work): Promise<Ending> => {
        await listOffers(ctx);
        await readEvents(ctx);
        return syncEvents(ctx, work);
      },
      ctx,
    ),
    bindRun(syncAllRun, syncAll, ctx),
  ];
}
