import type { Audited } from "#features/audit/index.ts";
import { requireService } from "#features/companies/index.ts";
import { pollSooner } from "#features/packages/index.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { wakeWatch } from "#features/tracking/runs.ts";
import { addFollowed, changeFollowed, markAsked } from "#features/tracking/store.ts";
import { BURST } from "#features/tracking/rules-reads.ts";
import { AppError } from "#platform/errors.ts";

/** Time between two checks that users request. */
export const BETWEEN_CHECKS_MS = 60_000;

/**
 * Lets UPS be asked now about all packages of a company that are on their way.
 * @throws AppError 402 without the service; 429 within a minute of the last time
 */
export async function checkNow(ctx: TrackingCtx & Audited, realmId: string): Promise<void> {
  await requireService(ctx, realmId, "tracking");
  const now = ctx.clock.now();
  await ctx.db.transaction().execute(async (tx) => {
    await addFollowed(tx, realmId, { reads: BURST, now });
    const before = new Date(now.getTime() - BETWEEN_CHECKS_MS);
    if (!(await markAsked(tx, realmId, { now, before })))
      throw new AppError({
        status: 429,
        code: "checked_just_now",
        detail: "Packages were checked less than a minute ago. Try again in a minute.",
        retryAfterSeconds: 60,
      });
    await pollSooner(tx, realmId, { now });
    // The changes of invoices too, as far as the company's reads allow.
    await changeFollowed(tx, realmId, { repeat_at: now });
    await wakeWatch(tx, realmId, now);
    await ctx.audit(tx, { action: "tracking.check" });
  });
}
