import type { PackageState } from "#features/packages/contract.ts";
import { DAY_MS, HOUR_MS, localTime } from "#platform/time.ts";

/** Time to the next poll of a package in a state, while no push says more. UPS publishes no limit. */
const POLL_AFTER_H: Partial<Record<PackageState, number>> = {
  held: 12,
  in_transit: 4,
  exception: 4,
  returned: 24,
};
/**
 * A delivery is known two hours later at most: on its day a package is polled this often, first when the first deliveries of
 * the day are two hours old.
 */
const DAY_MINUTES = 110;
const FIRST_POLL = "09:50";
/** Local hours after which a package that left for delivery, and one that did not, is polled the next morning. */
const LAST_DELIVERY_HOUR = 22;
const LAST_DEPARTURE_HOUR = 14;
/** Time zone in which UPS's day begins first, for packages whose place isn't known. */
const EAST = "America/New_York";
/** Time without a scan after which a label is polled half as often. */
const FORGOTTEN_MS = 7 * DAY_MS;
/** Events come by themselves; a lost one is found by this. */
const PUSHED_H = 36;
/** UPS may learn of a number hours after the label. */
const NOT_FOUND_H = [1, 4, 12, 24];
/**
 * A label made here is polled this often until it is scanned: its notice leaves with the first scan, and labels may be voided
 * at UPS's own page. UPS scans a package on the day of its pickup, or the next one.
 */
const LABEL_POLL_H = 1;
const LABEL_POLL_LATE_H = 4;
const LABEL_LATE_MS = 2 * DAY_MS;
/** Time without a scan after which a package isn't on its way. */
const SILENT_MS = 30 * DAY_MS;
/** UPS forgets a package after this. */
export const KEPT_MS = 120 * DAY_MS;

export type Followed = {
  state: PackageState;
  addedAt: Date;
  /** Time of the newest scan. */
  newestAt: Date | null;
  /** Polls so far, this one included. */
  polls: number;
  scheduledOn: string | null;
  /** Minutes from UTC to the local time of the newest scan; null if UPS names none. */
  offsetMinutes: number | null;
  isPushed: boolean;
  isOfLabel: boolean;
};

/** When UPS is asked about a package again; null to stop, and then its last state. */
export type NextPoll = { state: PackageState; pollAt: Date | null };

/** Decides when a package is polled again. */
export function planPoll(followed: Followed, now: Date): NextPoll {
  const { state, addedAt, newestAt, polls, isPushed, isOfLabel } = followed;
  const after = (hours: number) => new Date(now.getTime() + hours * HOUR_MS);
  if (state === "voided" || state === "delivered") return { state, pollAt: null };
  const isSilent = now.getTime() - Math.max(addedAt.getTime(), newestAt?.getTime() ?? 0) >= SILENT_MS;
  if (isSilent || now.getTime() - addedAt.getTime() >= KEPT_MS)
    return { state: state === "returned" ? state : "ended", pollAt: null };
  if (state === "not_found") return { state, pollAt: after(NOT_FOUND_H[polls - 1] ?? 24) };
  if (isOfLabel && state === "label_created" && !isForgotten(followed, now)) {
    const isLate = now.getTime() - addedAt.getTime() >= LABEL_LATE_MS;
    return { state, pollAt: after(isLate ? LABEL_POLL_LATE_H : LABEL_POLL_H) };
  }
  if (isPushed) return { state, pollAt: after(isForgotten(followed, now) ? 2 * PUSHED_H : PUSHED_H) };
  return { state, pollAt: planUnpushed(followed, now) ?? after(POLL_AFTER_H[state] ?? 12) };
}

/** @returns null where the time depends on the state alone */
function planUnpushed(followed: Followed, now: Date): Date | null {
  const { state, scheduledOn, offsetMinutes } = followed;
  const soon = new Date(now.getTime() + DAY_MINUTES * 60_000);
  const hour = localHour(soon, offsetMinutes);
  switch (state) {
    case "unknown":
    case "label_created":
      return morningAfter(new Date(now.getTime() + (isForgotten(followed, now) ? DAY_MS : 0)));
    case "in_transit": {
      if (scheduledOn === null) return null;
      // It may come earlier than UPS promised: it is polled each morning.
      if (morningOn(scheduledOn) > now) return morningAfter(now);
      // The newest scan may be of a hub far in the east.
      return localHour(soon, null) < LAST_DEPARTURE_HOUR ? soon : morningAfter(now);
    }
    case "out_for_delivery":
      return hour >= LAST_DELIVERY_HOUR ? morningAfter(now) : latest(soon, firstPollAt(now, offsetMinutes));
    case "attempted":
      // UPS comes again on the next day.
      return hour >= LAST_DELIVERY_HOUR ? morningAfter(now) : soon;
    default:
      return null;
  }
}

const isForgotten = ({ state, addedAt }: Followed, now: Date): boolean =>
  state === "label_created" && now.getTime() - addedAt.getTime() >= FORGOTTEN_MS;

const latest = (a: Date, b: Date): Date => (a > b ? a : b);

/** The first poll of a day, YYYY-MM-DD, at the East Coast. */
function morningOn(day: string): Date {
  const standard = new Date(`${day}T${FIRST_POLL}:00-05:00`);
  const { hour } = localTime(EAST, standard);
  return hour === Number(FIRST_POLL.slice(0, 2)) ? standard : new Date(standard.getTime() - HOUR_MS);
}

/** The next first poll of a day at the East Coast. */
function morningAfter(now: Date): Date {
  const today = morningOn(localTime(EAST, now).day);
  return today > now ? today : morningOn(localTime(EAST, new Date(now.getTime() + DAY_MS)).day);
}

/** The first poll of today where a package is. */
function firstPollAt(now: Date, offsetMinutes: number | null): Date {
  if (offsetMinutes === null) return now;
  const local = new Date(now.getTime() + offsetMinutes * 60_000).toISOString().slice(0, 10);
  return new Date(Date.parse(`${local}T${FIRST_POLL}:00Z`) - offsetMinutes * 60_000);
}

/** The local hour where a package is; where that isn't known, at the West Coast, where a day of the mainland ends last. */
const localHour = (at: Date, offsetMinutes: number | null): number =>
  new Date(at.getTime() + (offsetMinutes ?? -8 * 60) * 60_000).getUTCHours();
