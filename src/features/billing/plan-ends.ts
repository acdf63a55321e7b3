import type { BillingCtx, PaidCtx } from "#features/billing/ctx.ts";
import { toAppError } from "#features/billing/errors.ts";
import { holdLease } from "#features/billing/hold-lease.ts";
import { listMirrors } from "#features/billing/store.ts";
import { recordSubscription } from "#features/billing/sync-subscription.ts";
import type { Mirror } from "#features/billing/tables.ts";

/**
 * Plans the end of every subscription of a company for when what is paid is used up. What waits for its first payment
 * ends now. Doing it again changes nothing.
 * @throws AppError 503 when Stripe does not answer
 */
export async function planEnds({ payments, ...rest }: BillingCtx, realmId: string): Promise<void> {
  if (!payments) return;
  const ctx = { ...rest, payments };
  await holdPayments(ctx, realmId, () => planAllEnds(ctx, realmId));
}

/** Does work while nobody starts a payment of a company. @throws AppError 503 when Stripe does not answer */
export async function holdPayments(ctx: PaidCtx, realmId: string, work: () => Promise<void>): Promise<void> {
  try {
    await holdLease(ctx, `payment ${realmId}`, work);
  } catch (error) {
    throw toAppError(error);
  }
}

/** Only inside the lease of the company's payments. */
export async function planAllEnds(ctx: PaidCtx, realmId: string): Promise<void> {
  for (const mirror of await listMirrors(ctx.db, realmId)) await planEnd(ctx, mirror);
}

const LIVE = new Set(["active", "trialing", "past_due", "unpaid", "paused"]);

async function planEnd(ctx: PaidCtx, { id, status }: Mirror): Promise<void> {
  if (!LIVE.has(status) && status !== "incomplete") return;
  await holdLease(ctx, `subscription ${id}`, async () => {
    const known = await ctx.payments.readSubscription(id);
    if (!known) return;
    if (known.status === "incomplete")
      await recordSubscription(ctx, await ctx.payments.endNow(id), "payment");
    else if (LIVE.has(known.status) && known.endsAt === null) {
      const key = `end-${id}-${ctx.ids.uuid()}`;
      const planned = await ctx.payments.planEnd({ id, atPeriodEnd: true, key });
      await recordSubscription(ctx, planned, "payment");
    }
  });
}
