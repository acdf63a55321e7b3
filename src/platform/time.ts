export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

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

/** Day, YYYY-MM-DD, and hour of a time in a time zone. */
export function localTime(timeZone: string, at: Date): { day: string; hour: number } {
  const parts = findFormat(timeZone).formatToParts(at);
  const read = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return { day: `${read("year")}-${read("month")}-${read("day")}`, hour: Number(read("hour")) };
}
