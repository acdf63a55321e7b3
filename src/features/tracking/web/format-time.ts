import { formatLocalDay, formatMoment as formatInFull, formatTime, formatZoned } from "#web/kit/format.ts";

/** Older dates are shown with their year. */
const YEAR_SHOWN_AFTER_MS = 300 * 24 * 60 * 60 * 1_000;

const MOMENT = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" } as const;
const DAY = { month: "short", day: "numeric" } as const;

/** The time at the place of a scan is shown as it is, wherever the reader is. */
const zone = { timeZone: "UTC" };

type Formats = { short: Intl.DateTimeFormat; full: Intl.DateTimeFormat };

const formats = (parts: Intl.DateTimeFormatOptions): Formats => ({
  short: new Intl.DateTimeFormat(undefined, parts),
  full: new Intl.DateTimeFormat(undefined, { ...parts, year: "numeric" }),
});

const scanTimes = formats({ ...MOMENT, ...zone });
const scanDays = formats({ ...DAY, ...zone });
const days = formats(DAY);

function format({ short, full }: Formats, at: Date): string {
  return (Math.abs(Date.now() - at.getTime()) > YEAR_SHOWN_AFTER_MS ? full : short).format(at);
}

export type Scan = { at: string | null; local_date: string; local_time: string; zone: string };

/**
 * Formats when a package was scanned, by the clock at that place: "Nov 20, 1:47 PM MST". Without a time only its day; empty
 * if UPS names neither.
 */
export function formatScan({ at, local_date: day, local_time: time, zone: name }: Scan): string {
  if (day === "") return at === null ? "" : formatMoment(at);
  return time === "" ? formatScanDay(day) : `${format(scanTimes, new Date(`${day}T${time}Z`))} ${name}`;
}

/** Formats when a package was scanned, with the year, as on a document. */
export function formatScanInFull({ at, local_date: day, local_time: time, zone: name }: Scan): string {
  if (day === "") return at === null ? "" : formatInFull(at);
  return time === ""
    ? scanDays.full.format(new Date(day))
    : `${scanTimes.full.format(new Date(`${day}T${time}Z`))} ${name}`;
}

/** Formats the day of a scan at its place, or by the reader's clock if UPS names no day there. */
export function formatScanDate({ at, local_date: day }: Scan): string {
  if (day !== "") return formatScanDay(day);
  return at === null ? "" : format(days, new Date(at));
}

/** Formats a day: "Nov 20". @param iso YYYY-MM-DD */
export const formatScanDay = (iso: string): string => format(scanDays, new Date(iso));

const hours = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit", ...zone });

/** Formats an hour at a package's destination: "1:15 PM". @param time HH:MM:SS */
export const formatHour = (time: string): string => hours.format(new Date(`1970-01-01T${time}Z`));

/** Formats a time: "2:00 PM EST" if it is of today, else "Nov 20, 2:00 PM EST". @param iso ISO 8601 time */
export function formatMoment(iso: string): string {
  return formatLocalDay(iso) === formatLocalDay(new Date().toISOString())
    ? formatTime(iso)
    : formatZoned(iso);
}

const SOON_MS = 60_000;

/** Whether something due at a time is due within a minute, or overdue; its minute could be the one of the last time. */
export const isSoon = (iso: string): boolean => Date.parse(iso) - Date.now() < SOON_MS;
