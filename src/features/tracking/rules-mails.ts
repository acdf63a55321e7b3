/** Hour of the company's day from which its digest leaves. */
const DIGEST_HOUR = 8;
const HOUR_MS = 3_600_000;

/** By time zone: a format takes longer to make than to use a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

function findFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    hourCycle: "h23",
  });
  formats.set(timeZone, made);
  return made;
}

/** Day and hour of a time in a time zone. */
export function localTime(timeZone: string, at: Date): { day: string; hour: number } {
  const parts = findFormat(timeZone).formatToParts(at);
  const read = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return { day: `${read("year")}-${read("month")}-${read("day")}`, hour: Number(read("hour")) };
}

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
