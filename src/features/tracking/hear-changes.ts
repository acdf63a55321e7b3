import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { DEBOUNCE_MS } from "#features/tracking/rules-reads.ts";
import { hastenWatch } from "#features/tracking/runs.ts";
import { markHeard } from "#features/tracking/store.ts";
import { findRecentWrites } from "#features/tracking/store-writes.ts";
import { verifyWebhook } from "#integrations/intuit/verify-webhook.ts";
import { notSigned } from "#platform/errors.ts";

/** QuickBooks reports our own writes too, some seconds later. */
const ECHO_MS = 60_000;
/** More new invoices in one report are read without a search for those that we posted. */
const MAX_NEW = 1_000;
/** A change that much later than our write is a user's. Intuit names whole seconds, by its own clock. */
const CLOCKS_MS = 3_000;

/**
 * Notes that invoices changed, as Intuit reports. Which ones is read later, for all at once; reports of our own writes are left
 * out, since a read is metered.
 * @throws AppError 401 for a report that Intuit did not sign
 */
export async function hearChanges(
  ctx: TrackingCtx,
  delivery: { body: Buffer; signature: string | undefined },
): Promise<void> {
  const events = ctx.verifierToken && verifyWebhook({ ...delivery, verifierToken: ctx.verifierToken });
  if (!events) throw notSigned(401);
  const now = ctx.clock.now();
  const byRealm = Map.groupBy(
    events.filter(({ entity }) => entity === "invoice"),
    ({ realmId }) => realmId,
  );
  for (const [realmId, reported] of byRealm) {
    const ids = [...new Set(reported.map(({ id }) => id))];
    const since = new Date(now.getTime() - ECHO_MS);
    const ours = await findRecentWrites(ctx.db, realmId, { ids, since });
    const isEcho = ({ id, operation, at }: (typeof reported)[number]) => {
      const written = ours.get(id);
      if (operation !== "updated" || written === undefined) return false;
      return written === null || at === null || at.getTime() <= written.getTime() + CLOCKS_MS;
    };
    const others = reported.filter((event) => !isEcho(event));
    if (others.length === 0) continue;
    const isNew = others.every(({ operation }) => operation === "created");
    const created = isNew && others.length <= MAX_NEW ? others.map(({ id }) => id) : null;
    // No pass before the read: it would only find when to read.
    const readAt = new Date(now.getTime() + DEBOUNCE_MS);
    await ctx.db.transaction().execute(async (tx) => {
      if (await markHeard(tx, realmId, { created, now })) await hastenWatch(tx, realmId, readAt);
    });
  }
}
