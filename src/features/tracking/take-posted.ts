import type { BooksInvoice } from "#features/books/index.ts";
import { findTrackingSettings } from "#features/companies/index.ts";
import { dayIn, toRead } from "#features/tracking/find-invoices.ts";
import { wakeWatch } from "#features/tracking/runs.ts";
import { changeFollowed, findFollowed } from "#features/tracking/store.ts";
import { saveInvoices } from "#features/tracking/store-invoices.ts";
import type { Ctx } from "#platform/ctx.ts";
import { DAY_MS } from "#platform/time.ts";

/** Follows invoices that an upload posted, as QuickBooks answered them: a read of them would be metered. */
export async function takePosted(
  { db, clock }: Pick<Ctx, "db" | "clock">,
  realmId: string,
  invoices: readonly BooksInvoice[],
): Promise<void> {
  if (!(await findFollowed(db, realmId))) return;
  const now = clock.now();
  const { invoice_lookback_days: days, time_zone: zone } = await findTrackingSettings(db, realmId);
  const since = dayIn(zone, new Date(now.getTime() - days * DAY_MS));
  await db.transaction().execute(async (tx) => {
    // Labels that were made before may be of these.
    await changeFollowed(tx, realmId, { labels_at: null });
    await wakeWatch(tx, realmId, now);
    await saveInvoices(tx, realmId, { invoices: invoices.map(toRead), since, now });
  });
}
