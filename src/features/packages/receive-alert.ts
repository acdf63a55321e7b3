import { readCredential } from "#features/packages/alert-credential.ts";
import type { PackagesCtx } from "#features/packages/ctx.ts";
import { addScan, findScanTimes, toScan } from "#features/packages/rules-states.ts";
import { pollRun } from "#features/packages/runs.ts";
import { savePackage } from "#features/packages/save-package.ts";
import { findFollowers, type StoredPackage } from "#features/packages/store.ts";
import { readAlert, type Alert } from "#integrations/ups/read-alert.ts";
import { notSigned } from "#platform/errors.ts";
import { publishChange } from "#platform/events/change-feed.ts";
import { requestRun } from "#platform/runs/store.ts";

/** A lost event is found by a poll after this. */
const POLL_AFTER_MS = 36 * 3_600_000;

/**
 * Stores an event of UPS's at once, without a call. After a delivery, and when a package is held, UPS is asked now: events say
 * neither who received it nor until when it can be picked up.
 * UPS has one subscription for a number, of the company that asked last: every company that follows the number gets its events.
 * @throws AppError 401 for a caller without a credential of ours
 */
export async function receiveAlert(
  ctx: PackagesCtx,
  { body, credential }: { body: Buffer; credential: string | undefined },
): Promise<void> {
  if (readCredential(ctx.sealingKeys, credential) === null) throw notSigned(401);
  const alert = readAlert(body);
  if (!alert) return;
  const now = ctx.clock.now();
  const number = alert.trackingNumber;
  for (const realmId of await findFollowers(ctx.db, number)) {
    const isForInvoice = await savePackage(ctx, { realm_id: realmId, number }, (known) =>
      readEvent(known, alert, now),
    );
    if (isForInvoice) await publishChange(ctx.db, { realmId, kind: "packages" });
  }
  if (needsPoll(alert)) await requestRun(ctx.db, pollRun, now);
}

const needsPoll = ({ activity, deliveredOn }: Alert): boolean =>
  activity.state === "held" ||
  (activity.type === "D" && (activity.state === "delivered" || deliveredOn !== null));

function readEvent(known: StoredPackage, alert: Alert, now: Date): Partial<StoredPackage> | null {
  const { scans, state, isNew } = addScan(known, toScan(alert.activity));
  if (!isNew) return null;
  // An earlier event may come after one for which a poll is due.
  const isDue = needsPoll(alert) || (known.next_poll_at !== null && known.next_poll_at <= now);
  return {
    activities: scans,
    newest_at: scans[0]?.at ? new Date(scans[0].at) : known.newest_at,
    scanned_at: known.scanned_at ?? findScanTimes(scans).first,
    scheduled_on: alert.scheduledOn ?? known.scheduled_on,
    ...(alert.scheduledOn !== null && { due_hours: alert.window }),
    next_poll_at: isDue ? now : new Date(now.getTime() + POLL_AFTER_MS),
    // A delivery is set by the poll, with its facts.
    ...(state !== "delivered" && { state }),
  };
}
