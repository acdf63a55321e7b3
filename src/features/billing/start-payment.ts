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
  paidByOther,
  payInPortal,
  paymentBusy,
  toAppError,
  trialTaken,
  unknownPrice,
} from "#features/billing/errors.ts";
import { readRow } from "#features/billing/list-subscriptions.ts";
import { listOffers } from "#features/billing/refresh-prices.ts";
import { decideStep, isEnded } from "#features/billing/rules-payments.ts";
import { pickCurrent } from "#features/billing/rules.ts";
import { findTrial } from "#features/billing/store-accounts.ts";
import { findPrice, listServiceMirrors } from "#features/billing/store.ts";
import { changeSubscription, syncSubscription } from "#features/billing/sync-subscription.ts";
import type { Price } from "#features/billing/tables.ts";

type Request = { company: Company; user: User; priceId: string; isTrial: boolean };
type Offered = Request & { price: Price };

/**
 * Starts paying for a service, or goes on with what was started: of any number of clicks, tabs and processes there
 * comes one subscription. Nothing of the price is taken from the caller but its id.
 * @throws AppError 404 for a price that is not sold, 409 for a second trial, 503 when Stripe does not answer
 */
export async function startPayment(ctx: PaidCtx & Audited, request: Request): Promise<StartedPayment> {
  const { realmId } = request.company;
  try {
    const price = await findOffer(ctx, request.priceId);
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

async function findOffer(ctx: PaidCtx, priceId: string): Promise<Price> {
  await listOffers(ctx);
  const price = await findPrice(ctx.db, priceId);
  if (!price) throw unknownPrice();
  return price;
}

/** A price that is offered no more goes on for who has it: a renewal of it that failed is paid, nothing is begun. */
const isOffered = (price: Price, known: SubscriptionView | null): boolean =>
  price.is_active || (known?.priceId === price.id && known.status !== "incomplete" && !isEnded(known));

/** The secret of what is to be paid now; null when nothing is. */
type Secret = string | null;

/** A lost try is found, given up, and another one made: no way is longer. */
const MAX_STEPS = 6;

async function findSecret(ctx: PaidCtx & Audited, request: Offered): Promise<Secret> {
  let known = await readCurrent(ctx, request.company.realmId, request.price);
  const account = await ensureAccount(ctx, request.company, request.user);
  const wanted = { customerId: account.customer_id, priceId: request.price.id, isTrial: request.isTrial };
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    if (!isOffered(request.price, known)) throw unknownPrice();
    const step = decideStep(known, wanted);
    if (step.kind === "pay") return step.secret;
    if (step.kind === "is_paid") return null;
    if (step.kind === "use_portal") throw payInPortal();
    if (step.kind === "begin" || !known) known = await begin(ctx, account, request);
    else if (step.kind === "other_paid") throw await refuseOther(ctx, account, known);
    else known = await (step.kind === "give_up" ? giveUp : keep)(ctx, known);
  }
  throw paymentBusy();
}

/** The subscription of a service that matters, as Stripe has it now. */
async function readCurrent(
  ctx: PaidCtx,
  realmId: string,
  { service }: Price,
): Promise<SubscriptionView | null> {
  const current = pickCurrent(await listServiceMirrors(ctx.db, realmId, service));
  if (!current || isEnded(current)) return null;
  return (await syncSubscription(ctx, current.id, "payment"))?.view ?? null;
}

async function begin(
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

/** @returns what became of it: it was paid after all when that was first */
const giveUp = (ctx: PaidCtx, known: SubscriptionView): Promise<SubscriptionView> =>
  changeSubscription(ctx, known.id, () => ctx.payments.giveUp(known));

async function keep(ctx: PaidCtx & Audited, { id }: SubscriptionView): Promise<SubscriptionView> {
  const key = `keep-${id}-${ctx.ids.uuid()}`;
  const kept = await changeSubscription(ctx, id, () => ctx.payments.planEnd({ id, atPeriodEnd: false, key }));
  await ctx.audit(ctx.db, { action: "billing.keep", ids: { subscription: id } });
  return kept;
}

async function refuseOther(
  ctx: PaidCtx,
  account: CustomerAccount,
  known: SubscriptionView,
): Promise<AppError> {
  const formatDay = dayIn(await findTimeZone(ctx.db, account.realm_id));
  return paidByOther(formatDay(known.endsAt ?? known.periodEnd));
}
