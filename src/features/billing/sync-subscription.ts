import { changePaidService, listGrants, lockCompany } from "#features/companies/index.ts";
import { SERVICES } from "#features/companies/contract.ts";
import type { Db } from "#platform/db/connect.ts";
import type { SubscriptionView } from "#integrations/stripe/client.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { paymentBusy } from "#features/billing/errors.ts";
import { MAX_READS } from "#features/billing/limits.ts";
import { chooseNotice, notifyPayer } from "#features/billing/notify-payer.ts";
import { decideEntitlement, isUnknownStatus } from "#features/billing/rules.ts";
import {
  findAccountByCustomer,
  findTrial,
  recordReminder,
  recordTrial,
} from "#features/billing/store-accounts.ts";
import { findSubscription, findVersion, listStoredFor, saveSubscription } from "#features/billing/store.ts";
import type { Account, StoredSubscription, SyncSource } from "#features/billing/tables.ts";

type Synced = { view: SubscriptionView; stored: StoredSubscription };

/**
 * Reads a subscription from Stripe and updates our record of it and its service. Everything that
 * learns of a change calls only this, so that the order of events, duplicates and forgeries cannot
 * matter.
 * @returns null for a subscription that is not ours
 */
export const syncSubscription = (ctx: PaidCtx, id: string, source: SyncSource): Promise<Synced | null> =>
  ctx.turns.holdSubscription(id, () => readAndRecord(ctx, id, source));

/**
 * Reads again if another answer was recorded during the call, so that the later of two answers is
 * written last.
 */
async function readAndRecord(ctx: PaidCtx, id: string, source: SyncSource): Promise<Synced | null> {
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const version = await findVersion(ctx.db, id);
    const view = await ctx.payments.readSubscription(id);
    const recorded = view && (await recordSubscription(ctx, { view, source, version }));
    if (recorded !== OUTDATED) return recorded;
  }
  throw paymentBusy();
}

/**
 * Changes or creates a subscription at Stripe and records the answer.
 * @param id null to create one
 */
export async function changeSubscription(
  ctx: PaidCtx,
  id: string | null,
  change: () => Promise<SubscriptionView>,
): Promise<SubscriptionView> {
  const work = async () => {
    const version = id === null ? 0 : await findVersion(ctx.db, id);
    const changed = await change();
    const recorded = await recordSubscription(ctx, { view: changed, source: "payment", version });
    if (recorded === OUTDATED) await readAndRecord(ctx, changed.id, "payment");
    return changed;
  };
  return id === null ? work() : ctx.turns.holdSubscription(id, work);
}

/** Something was recorded during the call, so the answer may be older. */
const OUTDATED = "outdated" as const;

type Answer = { view: SubscriptionView; source: SyncSource; version: number };

async function recordSubscription(
  ctx: PaidCtx,
  { view, source, version }: Answer,
): Promise<Synced | typeof OUTDATED | null> {
  const account = await findAccountByCustomer(ctx.db, view.customerId);
  const service = SERVICES.find((each) => each === view.service);
  if (!account || !service || !isOurs(ctx, view, account)) return null;
  if (isUnknownStatus(view.status))
    ctx.log.error(
      { subscription: view.id, status: view.status },
      "A subscription has a status that is not known",
    );
  const stored: StoredSubscription = {
    realm_id: account.realm_id,
    id: view.id,
    account_id: account.id,
    service,
    price_id: view.priceId ?? "",
    status: view.status,
    created_at: view.createdAt,
    period_end: view.periodEnd,
    ends_at: view.endsAt,
    trial_end: view.trialEnd,
    ended_at: view.endedAt,
    unpaid_since: await findUnpaidSince(ctx, view),
    fetched_at: ctx.clock.now(),
    fetched_by: source,
    version: version + 1,
  };
  const isRecorded = await ctx.db.transaction().execute((tx) => record(ctx, tx, { account, stored }));
  return isRecorded ? { view, stored } : OUTDATED;
}

/** Finds the first of consecutive failed renewals: a later failure adds no days of grace. */
async function findUnpaidSince({ payments }: PaidCtx, { id, status, invoice }: SubscriptionView) {
  if (status !== "past_due" && status !== "unpaid") return null;
  return (await payments.findUnpaidSince(id)) ?? invoice?.createdAt ?? null;
}

/** States of a subscription that was never paid for. */
const NEVER_ON: ReadonlySet<string> = new Set(["incomplete", "incomplete_expired"]);

/**
 * Writes one subscription and the state of its service, and notifies the payer once.
 * @returns false if another version was recorded meanwhile; nothing is written then
 */
async function record(
  ctx: PaidCtx,
  tx: Db,
  { account, stored }: { account: Account; stored: StoredSubscription },
): Promise<boolean> {
  const { realm_id: realmId, service } = stored;
  const now = ctx.clock.now();
  const { graceDays } = ctx.terms;
  const company = await lockCompany(tx, realmId);
  const before = await findSubscription(tx, realmId, stored.id);
  if ((before?.version ?? 0) + 1 !== stored.version) return false;
  await saveSubscription(tx, stored);
  if (stored.trial_end) await recordTrial(tx, { realmId, service, now: stored.created_at });
  const all = await listStoredFor(tx, realmId, service);
  const entitlement = decideEntitlement(all, { now, graceDays });
  const isOn = entitlement.state === "active";
  const isUnpaid = isOn && all.every(({ status }) => status !== "active" && status !== "trialing");
  const isFirst =
    isOn &&
    NEVER_ON.has(before?.status ?? "incomplete") &&
    all.every(({ id, status }) => id === stored.id || NEVER_ON.has(status));
  const wasOn = await changePaidService(tx, { realmId, service, now, isUnpaid, isFirst, ...entitlement });
  const trial = await findTrial(tx, realmId, service);
  const isReminded = trial?.reminded_at !== null;
  const notice = chooseNotice({ before, after: stored, wasOn, isOn, isReminded, now, graceDays });
  if (!notice) return true;
  // A granted service stays on.
  const isGranted = (await listGrants(tx, realmId, now)).some((grant) => grant.service === service);
  if (isGranted && notice.kind !== "renewal_failed") return true;
  if (notice.kind === "trial_ends") await recordReminder(tx, { realmId, service, now });
  await notifyPayer(ctx, tx, { company, account, stored, notice });
  return true;
}

/**
 * Whether the customer is the realm's payer, the subscription names the realm too, and its mode
 * (live or test) matches ours.
 */
function isOurs({ payments, log }: PaidCtx, view: SubscriptionView, account: Account): boolean {
  const isOurs = view.realmId === account.realm_id && view.isLive === payments.isLive;
  if (!isOurs)
    log.warn({ subscription: view.id, realm: account.realm_id }, "A subscription is not for this company");
  return isOurs;
}
