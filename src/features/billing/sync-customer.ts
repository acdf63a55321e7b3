import type { PaidCtx } from "#features/billing/ctx.ts";
import { syncEventsRun } from "#features/billing/runs.ts";
import { findAccountByCustomer, listAccounts } from "#features/billing/store-accounts.ts";
import { removeEventsBefore } from "#features/billing/store-events.ts";
import { syncSubscription } from "#features/billing/sync-subscription.ts";
import type { SyncSource } from "#features/billing/tables.ts";
import { removeEndedRuns } from "#platform/runs/store.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";

const EVENT_LIFE_MS = 30 * 24 * 3_600_000;

/** Reads again every subscription of a customer of ours. */
export async function syncCustomer(ctx: PaidCtx, customerId: string, source: SyncSource): Promise<void> {
  if (!(await findAccountByCustomer(ctx.db, customerId))) return;
  for (const { id } of await ctx.payments.listSubscriptions(customerId))
    await syncSubscription(ctx, id, source);
}

/** Every night: missed changes are found, and the ends of grace take effect without a request. */
export async function syncAll(ctx: PaidCtx, { run, stop }: RunWork): Promise<Ending> {
  for (const { customer_id: customerId } of await listAccounts(ctx.db)) {
    if (stop.aborted) return { state: "queued" };
    if (customerId === null) continue;
    try {
      await syncCustomer(ctx, customerId, "sweep");
    } catch (error) {
      ctx.log.warn({ err: error, customer: customerId }, "The subscriptions of a customer could not be read");
    }
    run.noteProgress?.();
  }
  const before = new Date(ctx.clock.now().getTime() - EVENT_LIFE_MS);
  await removeEventsBefore(ctx.db, before);
  await removeEndedRuns(ctx.db, syncEventsRun, before);
  return { state: "done" };
}
