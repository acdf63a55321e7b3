import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { DEBOUNCE_MS, isRead } from "#features/tracking/rules-reads.ts";
import { runWatchSooner } from "#features/tracking/runs.ts";
import { findFollowed, markInvoicesChanged } from "#features/tracking/store.ts";
import { findRecentWrites } from "#features/tracking/store-writes.ts";
import { readWebhook } from "#integrations/intuit/verify-webhook.ts";

/** QuickBooks reports our own writes too, some seconds later. */
const ECHO_MS = 60_000;
/** More new invoices in one report are read without a search for those that we posted. */
const MAX_NEW = 1_000;
/** A change that much later than our write is a user's. Intuit names whole seconds, by its own clock. */
const CLOCKS_MS = 3_000;

/**
 * Notes that invoices changed, as Intuit reports. Which ones is read later, for all at once; reports of our own writes, and
 * of what was read already, are left out, since a read is metered.
 * @param now when the report came
 */
export async function noteChanges(ctx: TrackingCtx, body: Buffer, now: Date): Promise<void> {
  const byRealm = Map.groupBy(
    readWebhook(body).filter(({ entity }) => entity === "invoice"),
    ({ realmId }) => realmId,
  );
  for (const [realmId, reported] of byRealm) {
    const company = await findFollowed(ctx.db, realmId);
    if (!company) continue;
    const ids = [...new Set(reported.map(({ id }) => id))];
    const since = new Date(now.getTime() - ECHO_MS);
    const ours = await findRecentWrites(ctx.db, realmId, { ids, since });
    const isEcho = ({ id, operation, at }: (typeof reported)[number]) => {
      const written = ours.get(id);
      if (operation !== "updated" || written === undefined) return false;
      return written === null || at === null || at.getTime() <= written.getTime() + CLOCKS_MS;
    };
    const known = { readUntil: company.read_until, repeatAt: company.repeat_at };
    const isKnown = ({ at }: (typeof reported)[number]) => at !== null && isRead(at, known);
    const others = reported.filter((event) => !isEcho(event) && !isKnown(event));
    if (others.length === 0) continue;
    const isNew = others.every(({ operation }) => operation === "created");
    const created = isNew && others.length <= MAX_NEW ? others.map(({ id }) => id) : null;
    // No pass before the read: it would only find when to read.
    const readAt = new Date(now.getTime() + DEBOUNCE_MS);
    await ctx.db.transaction().execute(async (tx) => {
      await markInvoicesChanged(tx, realmId, { created, now });
      await runWatchSooner(tx, realmId, readAt);
    });
  }
}
