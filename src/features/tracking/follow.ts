import { callUps } from "#features/carrier/index.ts";
import { addEvent } from "#features/companies/index.ts";
import type { PackageState } from "#features/tracking/contract.ts";
import type { TrackingCtx } from "#features/tracking/ctx.ts";
import { makeProof } from "#features/tracking/proof/make-proof.ts";
import { planLook, planProof, wantsProof } from "#features/tracking/rules-follow.ts";
import {
  changePackage,
  findPackage,
  listInvoiceNumbers,
  listDuePackages,
  markInvoicesDirty,
  type StoredPackage,
} from "#features/tracking/store-packages.ts";
import type { Placed, Scan, TrackingTables } from "#features/tracking/tables.ts";
import { UpsError } from "#integrations/ups/errors.ts";
import type { Activity, TrackedPackage } from "#integrations/ups/track-answer.ts";
import type { Db } from "#platform/db/connect.ts";
import { toJson } from "#platform/db/json.ts";
import type { Updateable } from "kysely";

type Change = Updateable<TrackingTables["tracked_package"]>;
type Fenced = <T>(write: (tx: Db) => Promise<T>) => Promise<T>;
type Work = { realmId: string; fenced: Fenced; stop: AbortSignal };

/** Packages of one company looked at in a row; then other companies have their turn. */
const A_PASS = 30;
/** One budget for all companies: UPS counts the app. */
const UPS_KEY = "ups";

/**
 * Asks UPS about packages that are due, and stores what it says.
 * @returns how many; fewer than were due when stopped
 * @throws UpsError that is not about one package
 */
export async function followPackages(ctx: TrackingCtx, { realmId, fenced, stop }: Work): Promise<number> {
  const due = await listDuePackages(ctx.db, realmId, { now: ctx.clock.now(), limit: A_PASS });
  for (const one of due) {
    if (stop.aborted) break;
    const { change, isNews } = await look(ctx, one, stop);
    await fenced(async (tx) => {
      const current = await findPackage(tx, realmId, one.number);
      // An event that came during the call may say more than the answer: it is looked at again.
      const isNewer = current?.look_at?.getTime() !== one.look_at?.getTime();
      const next = isNewer ? { ...change, look_at: current?.look_at ?? null } : change;
      await changePackage(tx, { realmId, number: one.number }, next);
      if (isNews) await markInvoicesDirty(tx, realmId, one.number);
      if (next.state === "delivered" && current?.state !== "delivered")
        await addEvent(ctx, tx, {
          realmId,
          event: "package.delivered",
          data: {
            tracking_number: one.number,
            invoice_numbers: await listInvoiceNumbers(tx, realmId, one.number),
          },
        });
    });
  }
  return due.length;
}

/** @returns the changes of a package that UPS's answer means */
async function look(
  ctx: TrackingCtx,
  one: StoredPackage,
  stop: AbortSignal,
): Promise<{ change: Change; isNews: boolean }> {
  const withProof = wantsProof(one.state, one.proof_state);
  const first = await ask(ctx, one, { withProof, stop });
  // Whether it is delivered is known from the first answer, which is a tenth as long.
  const isFirst = !withProof && first?.state === "delivered" && wantsProof("delivered", one.proof_state);
  const found = isFirst ? await ask(ctx, one, { withProof: true, stop }) : first;
  const now = ctx.clock.now();
  const facts = found ? readFacts(found) : {};
  const state = findState(one, found);
  const change: Change = {
    ...facts,
    state,
    ...(state === one.state ? {} : { state_at: now }),
    looks: one.looks + 1,
    looked_at: now,
  };
  const planned =
    state === "delivered" ? await keepProof(ctx, one, found) : planNext(one, { state, found, now });
  const next = { ...change, ...planned };
  return { change: next, isNews: isChanged(one, next) };
}

async function ask(
  ctx: TrackingCtx,
  { realm_id: realmId, number }: StoredPackage,
  { withProof, stop }: { withProof: boolean; stop: AbortSignal },
): Promise<TrackedPackage | null> {
  const lease = await ctx.upsBudget.acquire(UPS_KEY, "request", stop);
  try {
    const parts = { withProof, withSignature: withProof };
    const packages = await callUps(ctx, realmId, (ups, { token }) => ups.track(token, number, parts));
    const own = packages.find((found) => found.trackingNumber === number);
    // UPS's test environment masks numbers; one of several could be another package.
    return own ?? (packages.length === 1 ? (packages[0] ?? null) : null);
  } catch (error) {
    // Said of this number: it is asked about as one that isn't known.
    if (error instanceof UpsError && error.kind === "refused") return null;
    throw error;
  } finally {
    await ctx.upsBudget.release(lease);
  }
}

/** A package that was seen once doesn't become unknown because UPS forgets it. */
function findState(one: StoredPackage, found: TrackedPackage | null): PackageState {
  if (!found) return one.state === "unknown" ? "not_found" : one.state;
  if (found.state === "returning") return "returned";
  return found.state ?? (one.state === "not_found" || one.state === "unknown" ? "label_created" : one.state);
}

type Seen = { state: PackageState; found: TrackedPackage | null; now: Date };

function planNext(one: StoredPackage, { state, found, now }: Seen): Change {
  const scheduledOn = found ? found.scheduledOn : one.scheduled_on;
  const newest = found ? newestAt(found.activities) : one.newest_at;
  const [scan] = found ? found.activities.map(toScan) : one.activities;
  const next = planLook(
    {
      state,
      addedAt: one.added_at,
      newestAt: newest,
      misses: one.looks + 1,
      scheduledOn,
      offsetMinutes: scan ? findOffset(scan) : null,
      isPushed: one.pushed_until !== null && one.pushed_until > now,
    },
    now,
  );
  return {
    state: next.state,
    look_at: next.lookAt,
    ...(next.state === one.state ? {} : { state_at: now }),
  };
}

/** Makes the proof of a delivered package; without one of UPS's it is asked for again, and made of the activities at the end. */
async function keepProof(
  ctx: TrackingCtx,
  one: StoredPackage,
  found: TrackedPackage | null,
): Promise<Change> {
  if (!wantsProof("delivered", one.proof_state)) return { look_at: null };
  const now = ctx.clock.now();
  const tries = one.proof_tries + 1;
  const askedAt = one.proof_asked_at ?? now;
  const nextAt = planProof(tries, askedAt);
  const asked = { proof_tries: tries, proof_asked_at: askedAt };
  if (!found) return { ...asked, look_at: nextAt, proof_state: nextAt ? "waiting" : "gone" };
  const { pdf, source } = await makeProof({ tracked: found, now });
  if (source === "activity" && nextAt) return { ...asked, look_at: nextAt, proof_state: "waiting" };
  return {
    ...asked,
    look_at: null,
    proof_state: source,
    proof_pdf: pdf,
    proof_page: found.delivery?.proof ?? null,
    proof_signature: found.delivery?.signature ?? null,
  };
}

function readFacts(found: TrackedPackage): Change {
  const { activities, service, delivery, scheduledOn } = found;
  const scans = activities.map(toScan);
  const delivered = found.state === "delivered" ? placeDelivery(scans, found.deliveredOn) : null;
  return {
    activities: toJson(scans),
    newest_at: newestAt(activities),
    service: service?.description.trim() ?? "",
    left_at: delivery?.location ?? "",
    received_by: delivery?.receivedBy ?? "",
    scheduled_on: scheduledOn,
    delivered: delivered && toJson(delivered),
  };
}

function placeDelivery(scans: readonly Scan[], deliveredOn: string | null): Placed {
  const scan = scans.find(({ state }) => state === "delivered") ?? scans[0];
  if (!scan) return { at: null, local_date: deliveredOn ?? "", local_time: "", place: "" };
  const { at, local_date, local_time, place } = scan;
  return { at, local_date: local_date || (deliveredOn ?? ""), local_time, place };
}

export const toScan = ({ at, localDate, localTime, place, state, description }: Activity): Scan => ({
  at,
  local_date: localDate,
  local_time: localTime,
  place: [place.city, place.state].filter(Boolean).join(", "),
  state: state === "returning" ? "returned" : state,
  text: description,
});

/** Minutes from UTC to the local time of a scan; null if UPS names one of them only. */
function findOffset({ at, local_date: day, local_time: time }: Scan): number | null {
  const minutes = (Date.parse(`${day}T${time}Z`) - Date.parse(at ?? "")) / 60_000;
  return Number.isNaN(minutes) ? null : Math.round(minutes);
}

/** A label is no scan. */
function newestAt(activities: readonly Activity[]): Date | null {
  const times = activities.flatMap(({ at, state }) =>
    at !== null && state !== "label_created" && state !== "voided" ? [Date.parse(at)] : [],
  );
  return times.length > 0 ? new Date(Math.max(...times)) : null;
}

/** Whether an invoice may need a write for it. */
const isChanged = (one: StoredPackage, next: Change): boolean =>
  next.state !== one.state ||
  (next.proof_state !== undefined && next.proof_state !== one.proof_state) ||
  (next.service !== undefined && next.service !== one.service) ||
  (next.newest_at instanceof Date && next.newest_at.getTime() !== one.newest_at?.getTime());
