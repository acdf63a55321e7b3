import type { Audited } from "#features/audit/index.ts";
import type { Company } from "#features/companies/index.ts";
import type { User } from "#features/identity/index.ts";
import type { BillingCtx, PaidCtx } from "#features/billing/ctx.ts";
import { paymentBusy, toAppError } from "#features/billing/errors.ts";
import { addAccount, endAccount, findAccount } from "#features/billing/store-accounts.ts";
import { listStored } from "#features/billing/store.ts";
import { changeSubscription, syncSubscription } from "#features/billing/sync-subscription.ts";
import type { StoredSubscription } from "#features/billing/tables.ts";

/**
 * Makes a company's admin its payer; idempotent. The previous payer is not charged again: their
 * subscriptions end with the paid period.
 * @throws AppError 503 when Stripe does not answer; nothing has changed then
 */
export async function takeBilling(ctx: PaidCtx & Audited, company: Company, user: User): Promise<void> {
  const { realmId } = company;
  // Payments stay blocked throughout, so the previous payer can't start one before the payer has changed.
  await holdPayments(ctx, realmId, async () => {
    const before = await findAccount(ctx.db, realmId);
    if (!before || before.payer_id === user.id) return;
    await scheduleAllEnds(ctx, realmId);
    const now = ctx.clock.now();
    await ctx.db.transaction().execute(async (tx) => {
      await endAccount(tx, before, now);
      await addAccount(tx, {
        realm_id: realmId,
        id: ctx.ids.uuid(),
        payer_id: user.id,
        email: user.email,
        customer_id: null,
        created_at: now,
        ended_at: null,
      });
      await ctx.notify(tx, {
        kind: "payer_changed",
        realmId,
        recipient: before.email,
        params: { company: company.name, by: user.email },
      });
      await ctx.audit(tx, {
        action: "billing.take_over",
        before: { payer: before.email },
        after: { payer: user.email },
      });
    });
  });
}

/**
 * Schedules every subscription of a company to end with its paid period; unpaid ones end now.
 * Idempotent.
 * @returns the number of live subscriptions
 * @throws AppError 503 when Stripe does not answer
 */
export async function scheduleEnds({ payments, ...rest }: BillingCtx, realmId: string): Promise<number> {
  if (!payments) return 0;
  const ctx = { ...rest, payments };
  const live = (await listStored(ctx.db, realmId)).filter(isLive).length;
  await holdPayments(ctx, realmId, () => scheduleAllEnds(ctx, realmId));
  return live;
}

async function holdPayments(ctx: PaidCtx, realmId: string, work: () => Promise<void>): Promise<void> {
  try {
    await ctx.turns.holdPayments(realmId, work);
  } catch (error) {
    throw toAppError(error);
  }
}

/** Requires the company's payment lock. */
export async function scheduleAllEnds(ctx: PaidCtx, realmId: string): Promise<void> {
  for (const stored of await listStored(ctx.db, realmId)) await scheduleEnd(ctx, stored);
}

const PAID = new Set(["active", "trialing"]);
/**
 * Statuses without a paid period: canceled at once, so that Stripe does not retry a failed renewal.
 */
const UNPAID = new Set(["incomplete", "past_due", "unpaid", "paused"]);

const isLive = ({ status }: StoredSubscription) => PAID.has(status) || UNPAID.has(status);

async function scheduleEnd(ctx: PaidCtx, stored: StoredSubscription): Promise<void> {
  if (!isLive(stored)) return;
  const { id } = stored;
  const found = (await syncSubscription(ctx, id, "payment"))?.view;
  if (!found) return;
  const known = UNPAID.has(found.status)
    ? await changeSubscription(ctx, id, () => ctx.payments.endUnpaid(found))
    : found;
  // Paid a moment ago; the next sync shows the result.
  if (UNPAID.has(known.status)) throw paymentBusy();
  // A later day, as set in Stripe's dashboard, would charge further renewals.
  const isEnding = known.endsAt !== null && known.endsAt <= known.periodEnd;
  if (!PAID.has(known.status) || isEnding) return;
  const key = `end-${id}-${ctx.ids.uuid()}`;
  await changeSubscription(ctx, id, () => ctx.payments.scheduleEnd({ id, atPeriodEnd: true, key }));
}
