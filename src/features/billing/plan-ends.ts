import type { BillingCtx, PaidCtx } from "#features/billing/ctx.ts";
import { paymentBusy, toAppError } from "#features/billing/errors.ts";
import { listMirrors } from "#features/billing/store.ts";
import { changeSubscription, syncSubscription } from "#features/billing/sync-subscription.ts";
import type { Mirror } from "#features/billing/tables.ts";

/**
 * Plans the end of every subscription of a company for when what is paid is used up. What is not paid, or no longer,
 * ends now. Doing it again changes nothing.
 * @throws AppError 503 when Stripe does not answer
 */
export async function planEnds({ payments, ...rest }: BillingCtx, realmId: string): Promise<void> {
  if (!payments) return;
  const ctx = { ...rest, payments };
  await holdPayments(ctx, realmId, () => planAllEnds(ctx, realmId));
}

/** Does work while no payment of a company can start. @throws AppError 503 when Stripe does not answer */
export async function holdPayments(ctx: PaidCtx, realmId: string, work: () => Promise<void>): Promise<void> {
  try {
    await ctx.turns.holdPayments(realmId, work);
  } catch (error) {
    throw toAppError(error);
  }
}

/** Only while the company's payments are held. */
export async function planAllEnds(ctx: PaidCtx, realmId: string): Promise<void> {
  for (const mirror of await listMirrors(ctx.db, realmId)) await planEnd(ctx, mirror);
}

const PAID = new Set(["active", "trialing"]);
/** Nothing is used up of these: no user is charged for them any more, not even by another try at a renewal that failed. */
const UNPAID = new Set(["incomplete", "past_due", "unpaid", "paused"]);

async function planEnd(ctx: PaidCtx, { id, status }: Mirror): Promise<void> {
  if (!PAID.has(status) && !UNPAID.has(status)) return;
  const found = (await syncSubscription(ctx, id, "payment"))?.view;
  if (!found) return;
  const known = UNPAID.has(found.status)
    ? await changeSubscription(ctx, id, () => ctx.payments.giveUp(found))
    : found;
  // Its payment was made a moment ago, and what it came to will show in the next one.
  if (UNPAID.has(known.status)) throw paymentBusy();
  if (!PAID.has(known.status) || known.endsAt !== null) return;
  const key = `end-${id}-${ctx.ids.uuid()}`;
  await changeSubscription(ctx, id, () => ctx.payments.planEnd({ id, atPeriodEnd: true, key }));
}
