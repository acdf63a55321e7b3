import { isCompanyAdmin, listGrants, type Company } from "#features/companies/index.ts";
import type { User } from "#features/identity/index.ts";
import type { SubscriptionRow } from "#features/billing/contract.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { STORED_FRESH_MS, UNPAID_FRESH_MS } from "#features/billing/limits.ts";
import { listOffers } from "#features/billing/prices.ts";
import {
  currentSubscription,
  decideEntitlement,
  graceEnd,
  isOwnAccount,
  shownEnd,
  shownStatus,
  toSeconds,
} from "#features/billing/rules.ts";
import { findAccount, findOtherPayer, listTrials } from "#features/billing/store-accounts.ts";
import { listStored } from "#features/billing/store.ts";
import { syncSubscription } from "#features/billing/sync-subscription.ts";
import type { Price, StoredSubscription } from "#features/billing/tables.ts";
import type { Ctx } from "#platform/ctx.ts";

const ENDED = new Set(["canceled", "incomplete_expired"]);
/** The company does not have the service yet: it can be added at any price. */
const NOT_HELD = new Set(["none", "incomplete", ...ENDED]);
const ON = new Set(["active", "trialing", "past_due"]);

/**
 * Lists the services a company can pay for, each with its current subscription, including payments
 * made a moment ago. Members other than the admin see none.
 */
export async function listSubscriptions(
  ctx: PaidCtx,
  company: Company,
  user: User,
): Promise<SubscriptionRow[]> {
  if (!isCompanyAdmin(company, user.id)) return [];
  const offers = await listOffers(ctx);
  await refreshStale(ctx, company.realmId);
  const rows = await buildRows(ctx, company.realmId, {
    offers,
    grants: await listGrants(ctx.db, company.realmId, ctx.clock.now()),
  });
  const held = new Set(rows.flatMap(({ service, status }) => (NOT_HELD.has(status) ? [] : [service])));
  // Other prices of a service the company already pays for would add nothing.
  return rows.filter(({ service, status }) => !held.has(service) || !NOT_HELD.has(status));
}

/** Reads who pays for a company. */
export async function readPayer({ db }: Ctx, company: Company, user: User) {
  const { realmId } = company;
  const other = await findOtherPayer(db, realmId, user.id);
  if (other) return { payer: other.email, is_payer: false };
  const account = await findAccount(db, realmId);
  return { payer: account && isOwnAccount(account, user.id) ? account.email : null, is_payer: true };
}

/** Reads the row of one price with its subscription, ignoring grants. */
export async function readRow(ctx: PaidCtx, realmId: string, price: Price): Promise<SubscriptionRow> {
  const [row] = await buildRows(ctx, realmId, { offers: [price], grants: [] });
  if (!row) throw new Error(`The price ${price.id} has no row.`);
  return row;
}

type Offers = { offers: readonly Price[]; grants: Awaited<ReturnType<typeof listGrants>> };

async function buildRows(
  ctx: PaidCtx,
  realmId: string,
  { offers, grants }: Offers,
): Promise<SubscriptionRow[]> {
  const [stored, trials, account] = await Promise.all([
    listStored(ctx.db, realmId),
    listTrials(ctx.db, realmId),
    findAccount(ctx.db, realmId),
  ]);
  const { graceDays } = ctx.terms;
  const now = ctx.clock.now();
  const find = ({ id: priceId }: Price) =>
    currentSubscription(stored.filter((each) => each.price_id === priceId));
  // A price that is no longer sold is shown only to companies that pay it.
  const shown = offers.filter((price) => price.is_active || !NOT_HELD.has(find(price)?.status ?? "none"));
  return shown.flatMap((price) => {
    const { service } = price;
    const paid = stored.filter((each) => each.service === service);
    const isPaid = decideEntitlement(paid, { now, graceDays }).state === "active";
    const granted = isPaid ? undefined : grants.find((grant) => grant.service === service);
    // A grant has no price: it is shown once.
    if (granted && price !== shown.find((each) => each.service === service)) return [];
    const subscription = find(price);
    const hadTrial = trials.some((trial) => trial.service === service);
    return buildRow({
      price,
      subscription,
      granted,
      isForSale: ctx.terms.forSale.includes(service),
      trialDays: hadTrial ? 0 : ctx.terms.trialDays,
      graceDays,
      now,
      isPayers: subscription?.account_id === account?.id,
    });
  });
}

type Facts = {
  price: Price;
  subscription: StoredSubscription | undefined;
  /** The service is on without payment until then; undefined if it is paid. */
  granted: { until: Date | null } | undefined;
  isForSale: boolean;
  trialDays: number;
  graceDays: number;
  now: Date;
  /** Whether the current payer also pays this subscription and so can manage it. */
  isPayers: boolean;
};

/** Builds the row of a service in Settings. */
function buildRow(facts: Facts): SubscriptionRow {
  const { price, subscription, granted, isForSale, trialDays, graceDays, now, isPayers } = facts;
  const offer = {
    price_id: price.id,
    product_name: price.product_name,
    product_description: price.product_description,
    rate: price.cents,
    interval: price.interval,
    service: price.service,
    is_for_sale: isForSale,
  };
  const none = { ...offer, subscription_id: null, grace_ends: null };
  if (granted) return { ...none, status: "active", end_date: toSeconds(granted.until), trial_days: 0 };
  if (!subscription) return { ...none, status: "none", end_date: null, trial_days: trialDays };
  const graceUntil = subscription.status === "past_due" ? graceEnd(subscription, graceDays) : null;
  return {
    ...offer,
    subscription_id: isPayers ? subscription.id : null,
    status: shownStatus(subscription),
    end_date: toSeconds(shownEnd(subscription)),
    grace_ends: graceUntil && graceUntil > now ? toSeconds(graceUntil) : null,
    trial_days: ON.has(subscription.status) ? 0 : trialDays,
  };
}

/** Refreshes stale subscriptions; keeps the recorded ones if Stripe does not answer. */
async function refreshStale(ctx: PaidCtx, realmId: string): Promise<void> {
  const now = ctx.clock.now().getTime();
  const stale = (await listStored(ctx.db, realmId)).filter(({ status, fetched_at: fetchedAt }) => {
    const freshMs = status === "incomplete" ? UNPAID_FRESH_MS : STORED_FRESH_MS;
    return !ENDED.has(status) && now - fetchedAt.getTime() > freshMs;
  });
  const tries = await Promise.allSettled(stale.map(({ id }) => syncSubscription(ctx, id, "list")));
  for (const tried of tries)
    if (tried.status === "rejected")
      ctx.log.warn({ err: tried.reason as unknown }, "A subscription could not be read again");
}
