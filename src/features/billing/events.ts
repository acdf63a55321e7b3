import type { BillingCtx, PaidCtx } from "#features/billing/ctx.ts";
import { EVENT_OVERLAP_MS, FIRST_LOOK_MS } from "#features/billing/limits.ts";
import { listOffers, refreshPrices } from "#features/billing/prices.ts";
import { readEventsRun, syncAllRun, syncEventsRun } from "#features/billing/runs.ts";
import { findAccountByCustomer, listAccounts } from "#features/billing/store-accounts.ts";
import {
  addEvents,
  findReadUntil,
  listOpenEvents,
  removeEventsBefore,
  saveReadUntil,
  settleEvents,
  type StoredEvent,
  reopenEvent,
} from "#features/billing/store-events.ts";
import { syncSubscription, changeSubscription } from "#features/billing/sync-subscription.ts";
import type { SyncSource, StoredSubscription } from "#features/billing/tables.ts";
import { notSigned, notFound } from "#platform/errors.ts";
import { bindRun, type BoundRun } from "#platform/runs/define-run.ts";
import { removeEndedRuns, requestRun } from "#platform/runs/store.ts";
import type { Ending, RunWork } from "#platform/runs/types.ts";
import { DAY_MS } from "#platform/time.ts";
import type { Audited } from "#features/audit/index.ts";
import type { Ctx } from "#platform/ctx.ts";
import type { SubscriptionView } from "#integrations/stripe/client.ts";
import { liveSubscriptions } from "#features/billing/rules.ts";
import { listStoredFor } from "#features/billing/store.ts";

const BATCH = 200;
/**
 * Greater than the few that always fail, which would otherwise block all older ones until the
 * nightly sync.
 */
const MAX_FAILED_IN_A_ROW = 10;
const EVENT_LIFE_MS = 30 * DAY_MS;

export type Delivery = { body: Buffer; signature: string | undefined };

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

/**
 * Stores an event delivered by Stripe and replies at once; a run reads its subject again.
 * @throws AppError 400 for an event without a trusted signature, or of another mode
 */
export async function receiveEvent(ctx: PaidCtx, { body, signature }: Delivery): Promise<void> {
  const event = ctx.payments.readEvent(body, signature);
  if (!event || event.isLive !== ctx.payments.isLive) throw notSigned(400);
  await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now();
    const added = await addEvents(tx, [event], { now, by: "webhook" });
    if (added > 0 && event.subject) await requestRun(tx, syncEventsRun, now);
  });
}

/**
 * Polls Stripe for events since the last poll, so that the product works without a webhook. If
 * there were more than one poll reads, requests a sync of all subscriptions.
 */
async function readEvents(ctx: PaidCtx): Promise<void> {
  const now = ctx.clock.now();
  const until = await findReadUntil(ctx.db);
  const since = until
    ? new Date(until.getTime() - EVENT_OVERLAP_MS)
    : new Date(now.getTime() - FIRST_LOOK_MS);
  const { events: found, isComplete } = await ctx.payments.listEvents(since);
  const events = found.filter(({ isLive }) => isLive === ctx.payments.isLive);
  await ctx.db.transaction().execute(async (tx) => {
    await addEvents(tx, events, { now, by: "poll" });
    await saveReadUntil(tx, events.at(-1)?.createdAt ?? until ?? now);
    if (!isComplete) await requestRun(tx, syncAllRun, now);
  });
}

/**
 * Reads the subjects of stored events again, each once. Failed ones stay for a later run. Stops after several
 * failures in a row: if Stripe is down, each call would take as long to fail.
 */
async function syncEvents(ctx: PaidCtx, { run, stop }: RunWork): Promise<Ending> {
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
      const ids = alike.map(({ id }) => id);
      await settleEvents(ctx.db, ids, ctx.clock.now());
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
  await syncOne(ctx, id, "event");
}

async function syncOne(ctx: PaidCtx, id: string, source: SyncSource): Promise<void> {
  const synced = await syncSubscription(ctx, id, source);
  if (synced) await endSurplus(ctx, synced.stored);
}

/** Reads every subscription of one of our customers again. */
async function syncCustomer(ctx: PaidCtx, customerId: string, source: SyncSource): Promise<void> {
  if (!(await findAccountByCustomer(ctx.db, customerId))) return;
  for (const { id } of await ctx.payments.listSubscriptions(customerId)) await syncOne(ctx, id, source);
}

/** Reads every subscription again to find missed changes and to end expired grace periods. */
async function syncAll(ctx: PaidCtx, { run, stop }: RunWork): Promise<Ending> {
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

/**
 * Ends all live subscriptions of a service except one, to prevent double charges, and reports each
 * as an error: a human must refund its charges.
 */
async function endSurplus(ctx: PaidCtx, { realm_id: realmId, service }: StoredSubscription): Promise<void> {
  const listLive = async () => liveSubscriptions(await listStoredFor(ctx.db, realmId, service));
  if ((await listLive()).length < 2) return;
  await ctx.turns.holdPayments(realmId, async () => {
    // The one that would be kept may have ended at Stripe, by an event that is not read yet.
    const views = new Map<string, SubscriptionView>();
    for (const { id } of await listLive()) {
      const synced = await syncSubscription(ctx, id, "payment");
      if (synced) views.set(id, synced.view);
    }
    const [kept, ...surplus] = await listLive();
    for (const { id } of surplus) {
      const view = views.get(id);
      if (!view) continue;
      ctx.log.error(
        { subscription: id, kept: kept?.id, realm: realmId, service },
        "A company has a second subscription of a service: it is ended, and what it charged is to be refunded",
      );
      await changeSubscription(ctx, id, () => ctx.payments.endUnpaid(view));
    }
  });
}
