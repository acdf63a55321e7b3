import type { PaidCtx } from "#features/billing/ctx.ts";
import { EVENT_OVERLAP_MS, FIRST_LOOK_MS } from "#features/billing/limits.ts";
import { refreshPrices } from "#features/billing/refresh-prices.ts";
import {
  addEvents,
  findReadUntil,
  listOpenEvents,
  saveReadUntil,
  settleEvents,
  type StoredEvent,
} from "#features/billing/store-events.ts";
import { syncCustomer } from "#features/billing/sync-customer.ts";
import { syncSubscription } from "#features/billing/sync-subscription.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";

const BATCH = 200;
/** More than the few that always fail, or these would keep all older ones waiting until the nightly look. */
const MAX_FAILED_IN_A_ROW = 10;

/**
 * Asks Stripe what happened since the last look: the product works where no webhook reaches it.
 * @returns false when more happened than one look reads: then only a look at all subscriptions shows it
 */
export async function readEvents(ctx: PaidCtx): Promise<boolean> {
  const now = ctx.clock.now();
  const until = await findReadUntil(ctx.db);
  const since = until
    ? new Date(until.getTime() - EVENT_OVERLAP_MS)
    : new Date(now.getTime() - FIRST_LOOK_MS);
  const { events: found, isComplete } = await ctx.payments.listEvents(since);
  const events = found.filter(({ isLive }) => isLive === ctx.payments.isLive);
  await addEvents(ctx.db, events, { now, by: "poll" });
  const last = events.at(-1)?.createdAt ?? until ?? now;
  await saveReadUntil(ctx.db, last);
  return isComplete;
}

/**
 * Reads again what the stored events are about, each once. What fails stays and is tried at a later turn. A Stripe that
 * answers nothing is not asked for all of them: each would take as long to fail.
 */
export async function syncEvents(ctx: PaidCtx, { run, stop }: RunWork): Promise<Ending> {
  const events = await listOpenEvents(ctx.db, BATCH);
  const bySubject = Map.groupBy(events, (event) => `${event.subject_kind} ${event.subject_id}`);
  const failures: unknown[] = [];
  let failedInARow = 0;
  for (const alike of bySubject.values()) {
    if (stop.aborted || failedInARow === MAX_FAILED_IN_A_ROW) break;
    const [first] = alike;
    if (!first) continue;
    try {
      await syncSubject(ctx, first);
      await settleEvents(
        ctx.db,
        alike.map(({ id }) => id),
        ctx.clock.now(),
      );
      run.noteProgress?.();
      failedInARow = 0;
    } catch (error) {
      failures.push(error);
      failedInARow += 1;
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "Events could not be followed up");
  return { state: stop.aborted || events.length === BATCH ? "queued" : "done" };
}

async function syncSubject(ctx: PaidCtx, { subject_kind: kind, subject_id: id }: StoredEvent): Promise<void> {
  if (id === null) return;
  if (kind === "catalog") return refreshPrices(ctx);
  if (kind === "customer") return syncCustomer(ctx, id, "event");
  await syncSubscription(ctx, id, "event");
}
