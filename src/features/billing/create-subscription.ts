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
 * answer, or if a subscription exists that we don't know of, that one is found instead of creating
 * another under a new key. Requires the company's payment lock.
 */
export async function createSubscription(ctx: PaidCtx, request: Request): Promise<SubscriptionView> {
  const { account, price } = request;
  const open = await findOpenAttempt(ctx.db, account.realm_id, price.service);
  const all = await ctx.payments.listSubscriptions(account.customer_id);
  const made = open && findMade(all, open);
  if (made) {
    await saveMade(ctx, open, made);
    // An event may have recorded it, and it may have been paid and ended since; then a new one is
    // wanted.
    if (!isEnded(made)) return made;
  }
  const live = all.find((each) => isOfService(ctx, each, request) && !isEnded(each));
  if (live) {
    if (open && !made) await settleAttempt(ctx.db, open, "failed");
    return changeSubscription(ctx, null, () => Promise.resolve(live));
  }
  if (open && !made) {
    if (isRepeatable(ctx, open, request)) return attempt(ctx, open, request);
    // Stripe shows that the attempt created nothing, and its key has expired.
    await settleAttempt(ctx.db, open, "failed");
  }
  return attempt(ctx, await addNew(ctx, request), request);
}

const isOfService = ({ payments }: PaidCtx, found: SubscriptionView, { account, price }: Request): boolean =>
  found.service === price.service && found.realmId === account.realm_id && found.isLive === payments.isLive;

/**
 * Records the subscription before the attempt is settled: after a kill in between, either one finds
 * it.
 */
async function saveMade(ctx: PaidCtx, open: Attempt, made: SubscriptionView): Promise<void> {
  await changeSubscription(ctx, null, () => Promise.resolve(made));
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
 * Whether the request is the same and its key is still valid: Stripe then repeats its first answer.
 */
const isRepeatable = (ctx: PaidCtx, open: Attempt, { account, price, isTrial }: Request): boolean =>
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
    const made = await ctx.payments.createSubscription({
      key: `subscription-${open.id}`,
      customerId: account.customer_id,
      priceId: open.price_id,
      description: `For ${companyName}`,
      metadata: { realm_id: open.realm_id, service: open.service, attempt_id: open.id },
      trialDays: open.is_trial ? ctx.terms.trialDays : null,
    });
    await saveMade(ctx, open, made);
    return made;
  } catch (error) {
    return settleFailed(ctx, { open, account, error });
  }
}

const UNKNOWN = "unknown" as const;

type Failed = { open: Attempt; account: CustomerAccount; error: unknown };

/**
 * Settles a failed attempt. A refused attempt created nothing; for an unanswered one, Stripe is
 * searched.
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
  const found = findMade(all, open);
  if (found) {
    await saveMade(ctx, open, found);
    return found;
  }
  // Stripe replays its own failure under a key for a day, so the key is useless; nothing was
  // created under it.
  if (error.http === 500 || error.kind === "key_conflict") await settleAttempt(ctx.db, open, "failed");
  throw error;
}

const findMade = (all: readonly SubscriptionView[], open: Attempt): SubscriptionView | undefined =>
  all.find(({ attemptId }) => attemptId === open.id);
