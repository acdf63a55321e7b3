import { DAY_MS, HOUR_MS } from "#platform/time.ts";

/** Reads of QuickBooks that a company may make at once. */
export const BURST = 6;
/** With the burst, less than 300 a month of 31 days. */
const REFILL_MS = 3 * HOUR_MS;
/** A user changes several invoices in a row: one read shows all. */
export const DEBOUNCE_MS = 4_000;
/** Intuit doesn't say when an answer shows a change; three minutes have been seen. */
const LAG_MS = 3 * 60_000;
/** Reads that are kept for changes that are reported later. */
const KEPT_READS = 3;
/** Part of the app's month of reads above which every company is read half as often. */
const SPARE_AT = 0.8;
/** While less of it is used, a company may be read this often: all companies together never use it up so. */
const AMPLE_BELOW = 0.2;
const AMPLE_REFILL_MS = HOUR_MS / 2;

export type Reads = { left: number; at: Date };

/** Time in which a company may make one read more, by how much of its month the app has used; null if that isn't known. */
export function refillMs(month: { calls: number; limit: number } | null): number {
  if (!month) return REFILL_MS;
  if (month.calls < month.limit * AMPLE_BELOW) return AMPLE_REFILL_MS;
  return month.calls >= month.limit * SPARE_AT ? 2 * REFILL_MS : REFILL_MS;
}

/** Reads that may be made now. */
export function refill({ left, at }: Reads, now: Date, everyMs: number): Reads {
  const gained = Math.max(0, now.getTime() - at.getTime()) / everyMs;
  return { left: Math.min(BURST, left + gained), at: now };
}

/** @returns when one read may be made */
export const whenAllowed = ({ left, at }: Reads, everyMs: number): Date =>
  new Date(at.getTime() + Math.max(0, 1 - left) * everyMs);

type Known = { readUntil: Date | null; changedAt: Date | null; repeatAt: Date | null };

/**
 * When the changes of invoices are read: soon after a change was reported, else once a day.
 * @param known.readUntil null if they never were
 */
export function whenDue({ readUntil, changedAt, repeatAt }: Known, now: Date): Date {
  if (readUntil === null) return now;
  const times = [readUntil.getTime() + DAY_MS];
  if (changedAt) times.push(changedAt.getTime() + DEBOUNCE_MS);
  if (repeatAt) times.push(repeatAt.getTime());
  return new Date(Math.min(...times));
}

/** Intuit names whole seconds. */
const SECOND_MS = 1_000;

/** Whether a reported change was read, or is read soon without its report: Intuit repeats reports, and so may others. */
export const isRead = (at: Date, { readUntil, repeatAt }: Pick<Known, "readUntil" | "repeatAt">): boolean =>
  readUntil !== null && at.getTime() + (repeatAt ? SECOND_MS : LAG_MS) <= readUntil.getTime();

/** When changes are read once more after the read of a reported one; null to wait for the next. */
export const whenRepeated = ({ changedAt }: Pick<Known, "changedAt">, left: number, now: Date): Date | null =>
  changedAt !== null && left >= KEPT_READS ? new Date(now.getTime() + LAG_MS) : null;
