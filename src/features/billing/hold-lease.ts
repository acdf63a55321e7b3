import type { Ctx } from "#platform/ctx.ts";
import { paymentBusy } from "#features/billing/errors.ts";
import { LEASE_MS, LEASE_POLL_MS, LEASE_RENEW_MS, LEASE_WAIT_MS } from "#features/billing/limits.ts";
import { releaseLease, renewLease, takeLease } from "#features/billing/store-leases.ts";

/**
 * Does work that nobody else in any process does at the same time under this name. No connection is held meanwhile: the
 * work asks Stripe, which may take long. A process that dies leaves a lease that ends by itself.
 * @throws AppError 503 when somebody else takes too long
 */
export async function holdLease<T>(
  ctx: Pick<Ctx, "db" | "clock" | "ids">,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const holder = ctx.ids.uuid();
  for (let waited = 0; !(await takeLease(ctx.db, { name, holder, ms: LEASE_MS })); waited += LEASE_POLL_MS) {
    if (waited >= LEASE_WAIT_MS) throw paymentBusy();
    await ctx.clock.sleep(LEASE_POLL_MS);
  }
  const renew = () => renewLease(ctx.db, { name, holder, ms: LEASE_MS }).catch(() => undefined);
  const renewing = setInterval(() => void renew(), LEASE_RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    await releaseLease(ctx.db, { name, holder });
  }
}
