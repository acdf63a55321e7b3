import type { Audited } from "#features/audit/index.ts";
import { findTimeZone, type Company } from "#features/companies/index.ts";
import type { User } from "#features/identity/index.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { SubscriptionView } from "#integrations/stripe/client.ts";
import type { AppError } from "#platform/errors.ts";
import type { StartedPayment } from "#features/billing/contract.ts";
import { createSubscription } from "#features/billing/create-subscription.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { dropAccount, ensureAccount, type CustomerAccount } from "#features/billing/ensure-account.ts";
import {
  comingSoon,
  paidByOther,
  payInPortal,
  paymentBusy,
  toAppError,
  trialTaken,
  unknownPrice,
  unknownSubscription,
} from "#features/billing/errors.ts";
import { readRow } from "#features/billing/list-subscriptions.ts";
import { listOffers } from "#features/billing/prices.ts";
import { nextPaymentStep, isEnded } from "#features/billing/rules-payments.ts";
import { currentSubscription } from "#features/billing/rules.ts";
import { findTrial } from "#features/billing/store-accounts.ts";
import { findPrice, findSubscription, listStoredFor } from "#features/billing/store.ts";
import { changeSubscription, syncSubscription } from "#features/billing/sync-subscription.ts";
import type { Price } from "#features/billing/tables.ts";

type Request = {
  company: Company;
  user: User;
  /** Null for the price of the subscription. */
  priceId: string | null;
  subscriptionId: string | null;
  isTrial: boolean;
};
type Offered = Request & { price: Price };

/**
 * Starts or continues paying for a service: any number of clicks, tabs and processes result in one
 * subscription. Only the price is taken from the caller.
 * @throws AppError 404 for a price that is not sold or a subscription that the company has not, 409 for a second trial, 503 when Stripe does not answer
 */
export async function startPayment(ctx: PaidCtx & Audited, request: Request): Promise<StartedPayment> {
  const { realmId } = request.company;
  try {
    const price = await findOffer(ctx, request);
    const find = () => findSecret(ctx, { ...request, price });
    const secret = await ctx.turns.holdPayments(realmId, () =>
      find().catch((failure: unknown) => dropAccount(ctx, realmId, failure).then(find)),
    );
    const row = await readRow(ctx, realmId, price);
    return { ...row, ...(secret === null ? { status: "paid" } : {}), client_secret: secret };
  } catch (error) {
    throw toAppError(error);
  }
}

async function findOffer(ctx: PaidCtx, { company, priceId, subscriptionId }: Request): Promise<Price> {
  await listOffers(ctx);
  const price = await findPrice(ctx.db, priceId ?? (await findPriceId(ctx, company, subscriptionId)));
  if (!price) throw unknownPrice();
  return price;
}

async function findPriceId({ db }: PaidCtx, { realmId }: Company, id: string | null): Promise<string> {
  const known = await findSubscription(db, realmId, id ?? "");
  if (!known) throw unknownSubscription();
  return known.price_id;
}

/** Refuses new subscriptions of a service that is coming soon. */
function requireForSale(ctx: PaidCtx, { service }: Price): void {
  if (!ctx.terms.forSale.includes(service)) throw comingSoon();
}

/**
 * A company keeps a price that is no longer offered: its failed renewal can be paid, but nothing
 * new is created.
 */
const isOffered = (price: Price, known: SubscriptionView | null): boolean =>
  price.is_active || (known?.priceId === price.id && known.status !== "incomplete" && !isEnded(known));

/** The longest path: a lost attempt is found and canceled, and another one is made. */
const MAX_STEPS = 6;

/** @returns the secret of the payment to make now; null if nothing is due */
async function findSecret(ctx: PaidCtx & Audited, request: Offered): Promise<string | null> {
  let known = await readCurrent(ctx, request.company.realmId, request.price);
  const account = await ensureAccount(ctx, request.company, request.user);
  const wanted = { customerId: account.customer_id, priceId: request.price.id, isTrial: request.isTrial };
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    if (!isOffered(request.price, known)) throw unknownPrice();
    const step = nextPaymentStep(known, wanted);
    if (step.kind === "pay") return step.secret;
    if (step.kind === "is_paid") return null;
    if (step.kind === "use_portal") throw payInPortal();
    if (step.kind === "create" || !known) {
      requireForSale(ctx, request.price);
      known = await create(ctx, account, request);
    } else if (step.kind === "paid_by_other") throw await refuseOther(ctx, account, known);
    else known = await (step.kind === "cancel_unpaid" ? cancelUnpaid : resume)(ctx, known);
  }
  throw paymentBusy();
}

/** Reads the current subscription of a service from Stripe. */
async function readCurrent(
  ctx: PaidCtx,
  realmId: string,
  { service }: Price,
): Promise<SubscriptionView | null> {
  const current = currentSubscription(await listStoredFor(ctx.db, realmId, service));
  if (!current || isEnded(current)) return null;
  return (await syncSubscription(ctx, current.id, "payment"))?.view ?? null;
}

async function create(
  ctx: PaidCtx & Audited,
  account: CustomerAccount,
  { company, price, isTrial }: Offered,
): Promise<SubscriptionView> {
  const hadTrial = isTrial && (await findTrial(ctx.db, account.realm_id, price.service));
  if (isTrial && (hadTrial || ctx.terms.trialDays === 0)) throw trialTaken();
  const made = await createSubscription(ctx, { account, companyName: company.name, price, isTrial });
  await ctx.audit(ctx.db, {
    action: "billing.start_payment",
    ids: { subscription: made.id },
    after: { service: price.service, trial: isTrial },
  });
  return made;
}

/** @returns the subscription afterwards: paid after all if the payment came first */
const cancelUnpaid = (ctx: PaidCtx, known: SubscriptionView): Promise<SubscriptionView> =>
  changeSubscription(ctx, known.id, () => ctx.payments.endUnpaid(known));

async function resume(ctx: PaidCtx & Audited, { id }: SubscriptionView): Promise<SubscriptionView> {
  const key = `keep-${id}-${ctx.ids.uuid()}`;
  const resumed = await changeSubscription(ctx, id, () =>
    ctx.payments.scheduleEnd({ id, atPeriodEnd: false, key }),
  );
  await ctx.audit(ctx.db, { action: "billing.keep", ids: { subscription: id } });
  return resumed;
}

async function refuseOther(
  ctx: PaidCtx,
  account: CustomerAccount,
  known: SubscriptionView,
): Promise<AppError> {
  const toDay = dayIn(await findTimeZone(ctx.db, account.realm_id));
  return paidByOther(toDay(known.endsAt ?? known.periodEnd));
}
