import { readCredential } from "#features/tracking/alert-credential.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { toScan } from "#features/tracking/follow.ts";
import type { PackageState } from "#features/tracking/contract.ts";
import { addScan } from "#features/tracking/rules-scans.ts";
import { wakeWatch } from "#features/tracking/runs.ts";
import {
  changePackage,
  findFollowers,
  findPackage,
  markInvoicesDirty,
  type StoredPackage,
} from "#features/tracking/store-packages.ts";
import { lockFollowed } from "#features/tracking/store.ts";
import type { Scan } from "#features/tracking/tables.ts";
import { readAlert, type Alert } from "#integrations/ups/read-alert.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import { toJson } from "#platform/db/json.ts";

/** A lost event is found by a look after this. */
const LOOK_AFTER_MS = 36 * 3_600_000;

/**
 * Stores an event of UPS's at once, without a call. A delivery is looked at now: events carry no proof.
 * UPS has one subscription for a number, of the company that asked last: every company that follows the number gets its events.
 * @returns false for a caller without a credential of ours
 */
export async function receiveAlert(
  ctx: TrackingCtx,
  { body, credential }: { body: Buffer; credential: string | undefined },
): Promise<boolean> {
  if (readCredential(ctx.sealingKeys, credential) === null) return false;
  const alert = readAlert(body);
  if (!alert) return true;
  for (const realmId of await findFollowers(ctx.db, alert.trackingNumber))
    await storeEvent(ctx, realmId, alert);
  return true;
}

async function storeEvent(ctx: TrackingCtx, realmId: string, alert: Alert): Promise<void> {
  const { trackingNumber: number, activity } = alert;
  const now = ctx.clock.now();
  await ctx.db.transaction().execute(async (tx) => {
    // Locked first, so two events of a package are stored one after the other.
    await lockFollowed(tx, realmId);
    const known = await findPackage(tx, realmId, number);
    if (!known || known.look_at === null) return;
    const { scans, state, isNew } = addScan(known, toScan(activity));
    if (!isNew) return;
    const isDelivered =
      activity.type === "D" && (activity.state === "delivered" || alert.deliveredOn !== null);
    // An earlier event may come after the delivery, for which a look is due.
    const isDue = isDelivered || known.look_at <= now;
    const lookAt = isDue ? now : new Date(now.getTime() + LOOK_AFTER_MS);
    await changePackage(
      tx,
      { realmId, number },
      {
        activities: toJson(scans),
        newest_at: scans[0]?.at ? new Date(scans[0].at) : known.newest_at,
        scheduled_on: alert.scheduledOn ?? known.scheduled_on,
        // Delivered is said by the look, which reads the proof too.
        look_at: known.state === "delivered" ? known.look_at : lookAt,
        ...(state !== known.state &&
          known.state !== "delivered" &&
          state !== "delivered" && { state, state_at: now }),
      },
    );
    if (!isDue && !isNews(known, scans, state)) return publishChange(tx, { realmId, kind: "tracking" });
    await markInvoicesDirty(tx, realmId, number);
    await wakeWatch(tx, realmId, now);
  });
}

/** Whether an invoice or the contact may need something: most scans only say that a package is still on its way. */
const isNews = (known: StoredPackage, scans: readonly Scan[], state: PackageState): boolean =>
  (state !== known.state && !ON_ITS_WAY.includes(state)) || firstDay(scans) !== firstDay(known.activities);

const ON_ITS_WAY: readonly PackageState[] = ["in_transit", "out_for_delivery"];

/** Day of the first scan, which is the ship date; a label is no scan. */
const firstDay = (scans: readonly Scan[]): string | undefined =>
  scans.findLast(({ state }) => state !== null && state !== "label_created" && state !== "voided")
    ?.local_date;
