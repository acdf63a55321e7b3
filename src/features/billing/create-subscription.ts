import type { SubscriptionView } from "#integrations/stripe/client.ts";
import { StripeFailure } from "#integrations/stripe/errors.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import type { CustomerAccount } from "#features/billing/ensure-account.ts";
import { KEY_LIFE_MS } from "#features/billing/limits.ts";
import { isEnded } from "#features/billing/rules-payments.ts";
import { addAttempt, findOpenAttempt, settleAttempt } from "#features/billing/store-accounts.ts";
import { changeSubscription } from "#features/billing/sync-subscription.ts";
import type { Attempt, Price } from "#features/billing/tables.ts";

type Request = { account: CustomerAccount; companyName: string; price: Price; isTrial: boolean };

/**
 * Creates a subscription exactly once. The attempt is stored before Stripe is called. After a lost
 * response, or if Stripe has a live subscription that we never recorded, the existing one is used and no
 * other is created. Requires the company's payment lock.
 */
export async function createSubscription(ctx: PaidCtx, request: Request): Promise<SubscriptionView> {
  const { account, price } = request;
  const open = await findOpenAttempt(ctx.db, account.realm_id, price.service);
  const all = await ctx.payments.listSubscriptions(account.customer_id);
  const created = open && findCreated(all, open);
  if (created) {
    await saveCreated(ctx, open, created);
    // It may have been recorded by an event, paid, and ended since. Then create a new one.
    if (!isEnded(created)) return created;
  }
  const live = all.find((each) => isOfService(ctx, each, request) && !isEnded(each));
  if (live) {
    if (open && !created) await settleAttempt(ctx.db, open, "failed");
    return changeSubscription(ctx, null, () => Promise.resolve(live));
  }
  if (open && !created) {
    if (canReplay(ctx, open, request)) return attempt(ctx, open, request);
    // Stripe shows that the attempt created nothing, and its key has expired.
    await settleAttempt(ctx.db, open, "failed");
  }
  return attempt(ctx, await addNew(ctx, request), request);
}

const isOfService = ({ payments }: PaidCtx, found: SubscriptionView, { account, price }: Request): boolean =>
  found.service === price.service && found.realmId === account.realm_id && found.isLive === payments.isLive;

/**
 * Records the subscription before settling the attempt: after a crash in between, either record leads to
 * it.
 */
async function saveCreated(ctx: PaidCtx, open: Attempt, created: SubscriptionView): Promise<void> {
  await changeSubscription(ctx, null, () => Promise.resolve(created));
  await settleAttempt(ctx.db, open, "made");
}

async function addNew(ctx: PaidCtx, { account, price, isTrial }: Request): Promise<Attempt> {
  const added: Attempt = {
    realm_id: account.realm_id,
    id: ctx.ids.uuid(),
    service: price.service,
    account_id: account.id,
    price_id: price.id,
    is_trial: isTrial,
    state: "open",
    created_at: ctx.clock.now(),
  };
  await addAttempt(ctx.db, added);
  return added;
}

/**
 * True if the request is unchanged and its key is still valid: Stripe then replays its first response.
 */
const canReplay = (ctx: PaidCtx, open: Attempt, { account, price, isTrial }: Request): boolean =>
  open.account_id === account.id &&
  open.price_id === price.id &&
  open.is_trial === isTrial &&
  ctx.clock.now().getTime() - open.created_at.getTime() < KEY_LIFE_MS;

async function attempt(
  ctx: PaidCtx,
  open: Attempt,
  { account, companyName }: Request,
): Promise<SubscriptionView> {
  try {
    const created = await ctx.payments.createSubscription({
      key: `subscription-${open.id}`,
      customerId: account.customer_id,
      priceId: open.price_id,
      description: `For ${companyName}`,
      metadata: { realm_id: open.realm_id, service: open.service, attempt_id: open.id },
      trialDays: open.is_trial ? ctx.terms.trialDays : null,
    });
    await saveCreated(ctx, open, created);
    return created;
  } catch (error) {
    return settleFailed(ctx, { open, account, error });
  }
}

const UNKNOWN = "unknown" as const;

type Failed = { open: Attempt; account: CustomerAccount; error: unknown };

/**
 * Settles a failed attempt. A refused attempt created nothing; after one without a response, searches
 * Stripe.
 */
async function settleFailed(ctx: PaidCtx, { open, account, error }: Failed): Promise<SubscriptionView> {
  if (!(error instanceof StripeFailure)) throw error;
  if (error.kind !== "unanswered" && error.kind !== "key_conflict") {
    await settleAttempt(ctx.db, open, "failed");
    throw error;
  }
  const all = await ctx.payments.listSubscriptions(account.customer_id).catch((): typeof UNKNOWN => UNKNOWN);
  // It may have been created: the next attempt searches again.
  if (all === UNKNOWN) throw error;
  const found = findCreated(all, open);
  if (found) {
    await saveCreated(ctx, open, found);
    return found;
  }
  // Stripe replays its own failure under a key for a day, so the key is useless; nothing was
  // created under it.
  if (error.http === 500 || error.kind === "key_conflict") await settleAttempt(ctx.db, open, "failed");
  throw error;
}

const findCreated = (all: readonly SubscriptionView[], open: Attempt): SubscriptionView | undefined =>
  all.find(({ attemptId }) => attemptId === open.id);
