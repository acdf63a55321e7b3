import { changePaidService, lockCompany } from "#features/companies/index.ts";
import { SERVICES, type Service } from "#features/companies/contract.ts";
import type { Db } from "#platform/db/connect.ts";
import type { SubscriptionView } from "#integrations/stripe/client.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { paymentBusy } from "#features/billing/errors.ts";
import { MAX_READS } from "#features/billing/limits.ts";
import { decideEntitlement, isUnknownStatus } from "#features/billing/rules.ts";
import { chooseNotice } from "#features/billing/rules-notices.ts";
import { notifyPayer } from "#features/billing/send-notice.ts";
import {
  findAccountByCustomer,
  findTrial,
  noteReminder,
  noteTrial,
} from "#features/billing/store-accounts.ts";
import { findMirror, findVersion, listServiceMirrors, saveMirror } from "#features/billing/store.ts";
import type { Account, Mirror, SyncSource } from "#features/billing/tables.ts";

type Synced = { view: SubscriptionView; mirror: Mirror };

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
  const unpaidSince = await findUnpaidSince(ctx, view);
  const facts = { account, service, source, unpaidSince, version: version + 1, now: ctx.clock.now() };
  const mirror = toMirror(view, facts);
  const isRecorded = await ctx.db.transaction().execute((tx) => record(ctx, tx, { account, mirror }));
  return isRecorded ? { view, mirror } : OUTDATED;
}

/** Counted over all renewals in a row that failed: a later one gives no new days of grace. */
async function findUnpaidSince({ payments }: PaidCtx, { id, status, invoice }: SubscriptionView) {
  if (status !== "past_due" && status !== "unpaid") return null;
  return (await payments.findUnpaidSince(id)) ?? invoice?.createdAt ?? null;
}

/**
 * Writes one subscription, and what all of the service come to; who pays is mailed what they must know, once.
 * @returns false when another version was recorded meanwhile: then nothing is written
 */
async function record(
  ctx: PaidCtx,
  tx: Db,
  { account, mirror }: { account: Account; mirror: Mirror },
): Promise<boolean> {
  const { realm_id: realmId, service } = mirror;
  const now = ctx.clock.now();
  const { graceDays } = ctx.terms;
  const company = await lockCompany(tx, realmId);
  const before = await findMirror(tx, realmId, mirror.id);
  if ((before?.version ?? 0) + 1 !== mirror.version) return false;
  await saveMirror(tx, mirror);
  if (mirror.trial_end) await noteTrial(tx, { realmId, service, now: mirror.created_at });
  const all = await listServiceMirrors(tx, realmId, service);
  const entitlement = decideEntitlement(all, { now, graceDays });
  const isOn = entitlement.state === "active";
  const isUnpaid = isOn && all.every(({ status }) => status !== "active" && status !== "trialing");
  const wasOn = await changePaidService(tx, { realmId, service, now, isUnpaid, ...entitlement });
  const trial = await findTrial(tx, realmId, service);
  const isReminded = trial?.reminded_at !== null;
  const notice = chooseNotice({ before, after: mirror, wasOn, isOn, isReminded, now, graceDays });
  if (!notice) return true;
  if (notice.kind === "trial_ends") await noteReminder(tx, { realmId, service, now });
  await notifyPayer(ctx, tx, { company, account, mirror, notice });
  return true;
}

/** The customer is the realm's payer, the subscription says the realm too, and money is as real as configured. */
function isOurs({ payments, log }: PaidCtx, view: SubscriptionView, account: Account): boolean {
  const isOurs = view.realmId === account.realm_id && view.isLive === payments.isLive;
  if (!isOurs)
    log.warn({ subscription: view.id, realm: account.realm_id }, "A subscription is not for this company");
  return isOurs;
}

type Facts = {
  account: Account;
  service: Service;
  source: SyncSource;
  unpaidSince: Date | null;
  version: number;
  now: Date;
};

function toMirror(
  view: SubscriptionView,
  { account, service, source, unpaidSince, version, now }: Facts,
): Mirror {
  return {
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
    unpaid_since: unpaidSince,
    fetched_at: now,
    fetched_by: source,
    version,
  };
}
