const number = new Intl.NumberFormat();

const ofDay = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
const ofYear = { month: "short", day: "numeric", ...ofDay } as const;

const formatsIn = (timeZone: string | undefined) => ({
  day: new Intl.DateTimeFormat(undefined, { timeZone, dateStyle: "medium" }),
  time: new Intl.DateTimeFormat(undefined, { timeZone, ...ofDay }),
  ofThisYear: new Intl.DateTimeFormat(undefined, { timeZone, ...ofYear }),
  moment: new Intl.DateTimeFormat(undefined, { timeZone, year: "numeric", ...ofYear }),
  year: new Intl.DateTimeFormat(undefined, { timeZone, year: "numeric" }),
});

let formats = formatsIn(undefined);
let zone: string | undefined;

/** Shows times in a zone from now on: the current company's, whatever the reader's; undefined for the reader's own. */
export function showTimesIn(timeZone: string | undefined): void {
  if (timeZone === zone) return;
  zone = timeZone;
  formats = formatsIn(timeZone);
}

/** Formats the day of a time. @param iso ISO 8601 time */
export const formatLocalDay = (iso: string): string => formats.day.format(new Date(iso));

/** The day of a time as our data has it, YYYY-MM-DD, which is how Swedish writes it. @param at milliseconds since 1970 */
export const isoDay = (at: number): string => new Date(at).toLocaleDateString("sv-SE", { timeZone: zone });

// A date in the books is the same day everywhere.
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

/** Formats a date in the browser's locale. @param iso YYYY-MM-DD; null gives an empty text */
export function formatDay(iso: string | null): string {
  return iso === null ? "" : day.format(new Date(iso));
}

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Formats US dollars. @param cents integer */
export function formatDollars(cents: number): string {
  return dollars.format(cents / 100);
}

/** Formats a time with the name of its zone: "Nov 27, 2026, 9:44 AM EST". @param iso ISO 8601 time */
export const formatMoment = (iso: string): string => formats.moment.format(new Date(iso));

/** The same in a list, with the year unless it is the current one: "Nov 27, 9:44 AM EST". @param iso ISO 8601 time */
export function formatZoned(iso: string): string {
  const at = new Date(iso);
  const { year, ofThisYear, moment } = formats;
  return (year.format(at) === year.format(new Date()) ? ofThisYear : moment).format(at);
}

/** Formats the time of day with the name of its zone: "9:44 AM EST". @param iso ISO 8601 time */
export const formatTime = (iso: string): string => formats.time.format(new Date(iso));

/** Formats an integer with the locale's separators. */
export function formatCount(count: number): string {
  return number.format(count);
}

/** "1 invoice", "1,204 invoices". */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${count === 1 ? noun : `${noun}s`}`;
}

const percents = new Intl.NumberFormat(undefined, { style: "percent" });

/** Formats an integer percentage in the browser's locale, rounded down. @param percent 0 to 100 */
export function formatPercent(percent: number): string {
  return percents.format(Math.floor(percent) / 100);
}

const SIZES = ["byte", "kilobyte", "megabyte", "gigabyte"];

/** Formats the size of a file or of a store. @param bytes */
export function formatBytes(bytes: number): string {
  const size = bytes < 1024 ? 0 : bytes < 1024 ** 2 ? 1 : bytes < 1024 ** 3 ? 2 : 3;
  const unitDisplay = size === 0 ? "long" : "short";
  const options = { style: "unit", unit: SIZES[size], unitDisplay, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(undefined, options).format(bytes / 1024 ** size);
}

/** "row 7", or "rows 2-5 and 9"; where a file has several sheets a row is "March!7". */
export const rowsText = (word: "row" | "Row", rows: string): string =>
  `${word}${/^(?:[^!]+!)?\d+$/.test(rows) ? "" : "s"} ${rows}`;

const shortDay = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" });

/** Formats a date of these weeks, without its year. @param iso YYYY-MM-DD */
export function formatShortDay(iso: string): string {
  return shortDay.format(new Date(iso));
}
