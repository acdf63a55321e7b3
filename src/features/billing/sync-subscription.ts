import { changePaidService, lockCompany } from "#features/companies/index.ts";
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
 * Reads a subscription from Stripe and brings our record of it and its service up to that. Everything that learns of a
 * change calls this and nothing else, so the order of news, duplicates and forged news cannot matter.
 * @returns null for one that is not ours
 */
export const syncSubscription = (ctx: PaidCtx, id: string, source: SyncSource): Promise<Synced | null> =>
  ctx.turns.holdSubscription(id, () => readAndRecord(ctx, id, source));

/** Of two answers of Stripe, the later one must be written last: one is read again when another was recorded since it was asked for. */
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
 * Changes a subscription at Stripe, or makes it, and records what that answers.
 * @param id null for one that is made
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

/** Something was recorded since Stripe was asked, so its answer may be older than that. */
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

/** Counted over all renewals in a row that failed: a later one gives no new days of grace. */
async function findUnpaidSince({ payments }: PaidCtx, { id, status, invoice }: SubscriptionView) {
  if (status !== "past_due" && status !== "unpaid") return null;
  return (await payments.findUnpaidSince(id)) ?? invoice?.createdAt ?? null;
}

/**
 * Writes one subscription and the state of its service, and mails the payer what they must know, once.
 * @returns false when another version was recorded meanwhile: then nothing is written
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
  const wasOn = await changePaidService(tx, { realmId, service, now, isUnpaid, ...entitlement });
  const trial = await findTrial(tx, realmId, service);
  const isReminded = trial?.reminded_at !== null;
  const notice = chooseNotice({ before, after: stored, wasOn, isOn, isReminded, now, graceDays });
  if (!notice) return true;
  if (notice.kind === "trial_ends") await recordReminder(tx, { realmId, service, now });
  await notifyPayer(ctx, tx, { company, account, stored, notice });
  return true;
}

/** The customer is the realm's payer, the subscription says the realm too, and money is as real as configured. */
function isOurs({ payments, log }: PaidCtx, view: SubscriptionView, account: Account): boolean {
  const isOurs = view.realmId === account.realm_id && view.isLive === payments.isLive;
  if (!isOurs)
    log.warn({ subscription: view.id, realm: account.realm_id }, "A subscription is not for this company");
  return isOurs;
}
