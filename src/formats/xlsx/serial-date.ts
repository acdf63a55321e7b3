/** A calendar date with the time of day in seconds, without a time zone, as displayed in the cell. */
export type CellDate = {
  readonly kind: "date";
  readonly y: number;
  readonly m: number;
  readonly d: number;
  readonly seconds: number;
};

const DAY_MS = 86_400_000;
const DAYS_FROM_1899_12_30_TO_1970 = 25_569;
const DAYS_FROM_1904_TO_1970 = 24_107;
const LAST_SERIAL = 2_958_465;

/**
 * Converts a serial number to a date. The 1900 system counts a nonexistent 29 February 1900 (serial 60), as
 * Excel shows it; serial 0 becomes 31 December 1899, so that a bare time of day gets a date that no rule
 * accepts.
 * @returns undefined if Excel has no date for it (negative, or after the year 9999)
 */
export function serialToDate(serial: number, date1904: boolean): CellDate | undefined {
  if (!(serial >= 0) || serial >= LAST_SERIAL + 1) return undefined;
  let day = Math.floor(serial);
  // A time just below a full second is rounded to it, because the last digits are lost; 23:59:59.997 stays on
  // the same day.
  let seconds = Math.floor((serial - day) * 86_400 + 1e-4);
  if (seconds === 86_400) {
    day += 1;
    seconds = 0;
  }
  if (!date1904 && day === 60) return { kind: "date", y: 1900, m: 2, d: 29, seconds };
  return { kind: "date", ...calendarDay(unixDay(day, date1904)), seconds };
}

/** Serial number of a date in the 1900 system, with the time of day as a fraction. */
export function dateToSerial(date: Omit<CellDate, "kind">): number {
  const day = Date.UTC(date.y, date.m - 1, date.d) / DAY_MS + DAYS_FROM_1899_12_30_TO_1970;
  const isBeforeMarch1900 = date.y < 1900 || (date.y === 1900 && date.m < 3);
  return (isBeforeMarch1900 && !(date.m === 2 && date.d === 29) ? day - 1 : day) + date.seconds / 86_400;
}

/**
 * Formats a fraction of a day as hours and minutes, "8:30", with seconds if there are any; more than a day
 * gives more hours.
 */
export function showHours(days: number): string {
  const all = Math.round(Math.abs(days) * 86_400);
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const parts = [minutes, ...(seconds === 0 ? [] : [seconds])].map((part) => String(part).padStart(2, "0"));
  return `${days < 0 ? "-" : ""}${[hours, ...parts].join(":")}`;
}

/**
 * Parses `2026-01-02`, `2026-01-02T10:30:00` with or without a zone, which is dropped. @returns undefined for
 * other texts
 */
export function parseIsoDate(text: string): CellDate | undefined {
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:\d{2})?$/.exec(
      text.trim(),
    );
  if (!match) return undefined;
  const [, day = "", hours, minutes, seconds] = match;
  const noon = new Date(`${day}T12:00Z`);
  if (Number.isNaN(noon.getTime()) || !noon.toISOString().startsWith(day)) return undefined;
  const [hour, minute, second] = [hours, minutes, seconds].map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ];
  if (hour > 24 || minute > 59 || second > 59) return undefined;
  return {
    kind: "date",
    ...calendarDay(noon.getTime() / DAY_MS),
    seconds: hour * 3600 + minute * 60 + second,
  };
}

function unixDay(day: number, date1904: boolean): number {
  if (date1904) return day - DAYS_FROM_1904_TO_1970;
  return day - DAYS_FROM_1899_12_30_TO_1970 + (day < 60 ? 1 : 0);
}

function calendarDay(unixDays: number): { y: number; m: number; d: number } {
  const date = new Date(unixDays * DAY_MS);
  return { y: date.getUTCFullYear(), m: date.getUTCMonth() + 1, d: date.getUTCDate() };
}
