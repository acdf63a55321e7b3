import { dayIn } from "#formats/text/phrases.ts";
import { DAY_MS } from "#platform/time.ts";

/** A 997 is expected within this time. @see facts of the retailer: "within 24 h" */
export const ANSWER_WITHIN_MS = DAY_MS;

/**
 * The next time that a clock on the wall shows the cutoff. At the cutoff itself, it is the one of the next day.
 * @param cutOff HH:MM
 * @param timeZone an IANA name
 */
export function nextCutOff(now: Date, cutOff: string, timeZone: string): Date {
  const today = dayIn(timeZone)(now);
  const time = atWall(today, cutOff, timeZone);
  // The calendar's next day: 24 hours from now may be the day after it, where a day has 23.
  return time > now ? time : atWall(dayAfter(today), cutOff, timeZone);
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

/** The moment at which clocks of a time zone show a day and time. One that a change of clocks skips is an hour later. */
function atWall(day: string, time: string, timeZone: string): Date {
  const wanted = Date.parse(`${day}T${time}:00Z`);
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  const shown = (moment: number) => Date.parse(`${format.format(moment).replace(" ", "T")}Z`);
  const guess = 2 * wanted - shown(wanted);
  // The offset of the guess may be the one before a change of clocks.
  const moment = guess + wanted - shown(guess);
  return new Date(shown(moment) === wanted ? moment : Math.max(guess, moment));
}

/** HHMM and YYYY-MM-DD of a moment in a time zone, as X12 writes them. */
export function stampAt(moment: Date, timeZone: string): { date: string; time: string } {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
  const [date = "", time = ""] = format.format(moment).split(" ");
  return { date, time: time.replace(":", "") };
}
