import { HOUR_MS, localTime } from "#platform/time.ts";

/** Hour of the company's day from which its digest leaves. */
const DIGEST_HOUR = 8;

/** Decides whether the day's digest leaves now, and when one may leave next. */
export function planDigest(
  lastAt: Date | null,
  timeZone: string,
  now: Date,
): { isDue: boolean; nextAt: Date } {
  const { day, hour } = localTime(timeZone, now);
  const isDue = hour >= DIGEST_HOUR && lastAt !== null && localTime(timeZone, lastAt).day < day;
  const isLate = hour >= DIGEST_HOUR;
  const hours = isLate ? 24 - hour + DIGEST_HOUR : DIGEST_HOUR - hour;
  const thisHour = Math.floor(now.getTime() / HOUR_MS);
  return { isDue, nextAt: new Date((thisHour + hours) * HOUR_MS) };
}
