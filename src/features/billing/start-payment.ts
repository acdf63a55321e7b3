import type { Audited } from "#features/audit/index.ts";
import { findTimeZone, type Company } from "#features/companies/index.ts";
import type { User } from "#features/identity/index.ts";
import { dayIn } from "#formats/text/phrases.ts";
import type { SubscriptionView } from "#integrations/stripe/client.ts";
import type { StartedPayment } from "#features/billing/contract.ts";
import { createSubscription } from "#features/billing/create-subscription.ts";
import type { PaidCtx } from "#features/billing/ctx.ts";
import { ensureAccount, type CustomerAccount } from "#features/billing/ensure-account.ts";
import { paidByOther, payInPortal, toAppError, trialTaken, unknownPrice } from "#features/billing/errors.ts";
import { holdLease } from "#features/billing/hold-lease.ts";
import { readRow } from "#features/billing/list-subscriptions.ts";
import { listOffers } from "#features/billing/refresh-prices.ts";
import { pickCurrent } from "#features/billing/rules.ts";
import { findTrial } from "#features/billing/store-accounts.ts";
import { findPrice, listMirrorsOf } from "#features/billing/store.ts";
import { recordSubscription, syncSubscription } from "#features/billing/sync-subscription.ts";
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
    const due = await holdLease(ctx, `payment ${realmId}`, () => findDue(ctx, { ...request, price }));
    const row = await readRow(ctx, realmId, price);
    return due === NOTHING_DUE
      ? { ...row, status: "paid", client_secret: null }
      : { ...row, client_secret: due.secret };
  } catch (error) {
    throw toAppError(error);
  }
}

async function findOffer(ctx: PaidCtx, priceId: string): Promise<Price> {
  await listOffers(ctx);
  const price = await findPrice(ctx.db, priceId);
  if (!price?.is_active) throw unknownPrice();
  return price;
}

/** What is to be paid now, by the secret of its payment. */
type Due = { secret: string } | typeof NOTHING_DUE;
const NOTHING_DUE = "nothing";

async function findDue(ctx: PaidCtx & Audited, request: Offered): Promise<Due> {
  const account = await ensureAccount(ctx, request.company, request.user);
  const known = await readCurrent(ctx, account, request.price);
  if (!known) return begin(ctx, account, request);
  if (known.customerId !== account.customer_id) {
    const dayOf = dayIn(await findTimeZone(ctx.db, account.realm_id));
    throw paidByOther(dayOf(known.endsAt ?? known.periodEnd));
  }
  if (known.status !== "incomplete") return findDueOfLive(ctx, known);
  if (known.priceId === request.price.id && !request.isTrial) return dueOf(known);
  // A try for something else is given up; nothing of it was paid.
  await recordSubscription(ctx, await ctx.payments.endNow(known.id), "payment");
  return begin(ctx, account, request);
}

async function begin(ctx: PaidCtx & Audited, account: CustomerAccount, request: Offered): Promise<Due> {
  const { price, isTrial } = request;
  const hadTrial = isTrial && (await findTrial(ctx.db, account.realm_id, price.service));
  if (isTrial && (hadTrial || ctx.terms.trialDays === 0)) throw trialTaken();
  const made = await createSubscription(ctx, {
    account,
    companyName: request.company.name,
    price,
    isTrial,
  });
  await ctx.audit(ctx.db, {
    action: "billing.start_payment",
    ids: { subscription: made.id },
    after: { service: price.service, trial: isTrial },
  });
  return dueOf(made);
}

/** The subscription of a service that matters, as Stripe has it now. */
async function readCurrent(
  ctx: PaidCtx,
  account: CustomerAccount,
  { service }: Price,
): Promise<SubscriptionView | null> {
  const mirrors = await listMirrorsOf(ctx.db, account.realm_id, service);
  const current = pickCurrent(mirrors);
  if (!current || ["canceled", "incomplete_expired"].includes(current.status)) return null;
  const synced = await syncSubscription(ctx, current.id, "payment");
  return synced && !["canceled", "incomplete_expired"].includes(synced.view.status) ? synced.view : null;
}

/** What is owed for one that was paid before; a planned end is taken back. Never a second subscription. */
async function findDueOfLive(ctx: PaidCtx & Audited, known: SubscriptionView): Promise<Due> {
  if (known.status === "past_due" || known.status === "unpaid") {
    const due = dueOf(known);
    if (due === NOTHING_DUE) throw payInPortal();
    return due;
  }
  if (known.status === "paused") throw payInPortal();
  if (known.endsAt === null) return NOTHING_DUE;
  const key = `keep-${known.id}-${ctx.ids.uuid()}`;
  const kept = await ctx.payments.planEnd({ id: known.id, atPeriodEnd: false, key });
  await ctx.audit(ctx.db, { action: "billing.keep", ids: { subscription: known.id } });
  await recordSubscription(ctx, kept, "payment");
  return NOTHING_DUE;
}

/** The payment that is open; nothing when it was made already. */
function dueOf({ invoice }: SubscriptionView): Due {
  if (invoice?.status !== "open" || !invoice.intent) return NOTHING_DUE;
  return invoice.intent.status === "succeeded" ? NOTHING_DUE : { secret: invoice.intent.clientSecret };
}
