import type { CellValue } from "../xlsx/workbook.ts";

/** Order of a date such as 03/04/2026: month first or day first. */
export type WrittenOrder = "mdy" | "dmy";

/**
 * Order of day and month in dates such as 01/02/2026. `mixed`: the column has dates in both orders;
 * `unclear`: neither the file nor a user decides it.
 */
export type DateOrder = WrittenOrder | "mixed" | "unclear";

export type TextDate =
  | { kind: "date"; iso: string }
  /** Day and month are both at most 12 and differ; `iso` uses the requested order. */
  | { kind: "either"; iso: string; other: string }
  | { kind: "none" };

export const MONTH_NAMES =
  "January February March April May June July August September October November December".split(" ");

/** Reads a date written as text: ISO first, then month names, then two numbers in the given order. */
export function readDateText(text: string, order: DateOrder): TextDate {
  const clean = withoutTime(text);
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(clean);
  if (iso) return dated(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const digits = eightDigits(clean);
  if (digits) return digits;
  const named = readMonthName(clean);
  if (named) return named;
  const numbers = splitNumbers(clean);
  if (!numbers) return { kind: "none" };
  const { first, second, year } = numbers;
  if (first > 12) return dated(year, second, first);
  if (second > 12) return dated(year, first, second);
  if (first === second) return dated(year, first, second);
  const [mdy, dmy] = [dated(year, first, second), dated(year, second, first)];
  if (mdy.kind !== "date" || dmy.kind !== "date") return { kind: "none" };
  return order === "dmy"
    ? { kind: "either", iso: dmy.iso, other: mdy.iso }
    : { kind: "either", iso: mdy.iso, other: dmy.iso };
}

/**
 * Finds the order that a column's own dates prove.
 * @param texts the column's text cells
 * @returns undefined if none of them proves it
 */
export function provenOrder(texts: Iterable<string>): WrittenOrder | "mixed" | undefined {
  const proofs = new Set<WrittenOrder>();
  for (const text of texts) {
    const proof = orderProvenBy(withoutTime(text));
    if (proof) proofs.add(proof);
  }
  if (proofs.size > 1) return "mixed";
  const [proven] = proofs;
  return proven;
}

function orderProvenBy(text: string): WrittenOrder | undefined {
  const numbers = splitNumbers(text);
  if (!numbers || numbers.first > 12 === numbers.second > 12) return undefined;
  return numbers.first > 12 ? "dmy" : "mdy";
}

/** "January 2, 2026" */
export function spellDate(iso: string): string {
  const [y, m, d] = iso.split("-").map(Number);
  return `${MONTH_NAMES[(m ?? 1) - 1]} ${d}, ${y}`;
}

/** "January 2" */
export const monthAndDay = (iso: string): string => spellDate(iso).replace(/, \d+$/, "");

/** Formats as YYYY-MM-DD; @returns undefined if the calendar has no such day */
export function isoDate(y: number, m: number, d: number): string | undefined {
  const date = new Date(Date.UTC(y, m - 1, d));
  if (date.getUTCFullYear() !== y || date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d)
    return undefined;
  return `${String(y).padStart(4, "0")}-${String(m).padStart(2, "0")}-${String(d).padStart(2, "0")}`;
}

/**
 * Reads a date of eight digits, as many programs write it: 20261120. @returns undefined for other texts and
 * for implausible years
 */
export function eightDigits(text: string): TextDate | undefined {
  const match = /^((?:19|20)\d{2})(\d{2})(\d{2})$/.exec(text);
  const date = match && dated(Number(match[1]), Number(match[2]), Number(match[3]));
  return date?.kind === "date" ? date : undefined;
}

/** Removes the time, its zone and the weekday, which don't affect the date. */
const withoutTime = (text: string): string => text.trim().replace(TIME, "").replace(WEEKDAY, "");

/** The time in a text of a date and a time, or of a time alone; undefined for other texts, and for midnight of a day. */
export function readClock(text: string): string | undefined {
  const [found] = TIME.exec(` ${text}`) ?? /^ \d{1,2} ?[ap]\.?m\.?$/i.exec(` ${text}`) ?? [];
  if (found === undefined) return undefined;
  const [day, time] = [text.slice(0, Math.max(0, text.length - found.length)), found.slice(1)];
  const isDay = readDateText(day.replace(WEEKDAY, "").replace(/,$/, ""), "mdy").kind !== "none";
  if (day.trim() !== "" && !isDay) return undefined;
  return isDay && MIDNIGHT.test(time) ? undefined : time;
}

const MIDNIGHT = /^(?:0?0:00(?::00(?:\.0+)?)?(?![:.\d])|12:00(?::00)? ?am)/i;

const TIME =
  /[T ]\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?(?: ?[AP]M)?(?: ?(?:Z|UTC|GMT|[A-Z]{1,3}T|(?:UTC|GMT)?[+-]\d{1,2}:?\d{2}))?$/i;
const WEEKDAY = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? +/i;

function dated(y: number, m: number, d: number): TextDate {
  const iso = isoDate(y, m, d);
  return iso ? { kind: "date", iso } : { kind: "none" };
}

/** "2-Jan-26", "2 January 2026", "Jan 2, 2026" */
function readMonthName(text: string): TextDate | undefined {
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -./]+([a-z]{3,9})\.?[ -./,]+(\d{4}|\d{2})$/i.exec(
    text,
  );
  const monthFirst = /^([a-z]{3,9})\.?[ -./]+(\d{1,2})(?:st|nd|rd|th)?[ ,-./]+(\d{4}|\d{2})$/i.exec(text);
  const [day, name, year] = dayFirst
    ? [dayFirst[1], dayFirst[2], dayFirst[3]]
    : monthFirst
      ? [monthFirst[2], monthFirst[1], monthFirst[3]]
      : [];
  if (!day || !name || !year) return undefined;
  const month = MONTH_NAMES.findIndex((full) => full.toLowerCase().startsWith(name.toLowerCase())) + 1;
  return month > 0 ? dated(fullYear(year), month, Number(day)) : undefined;
}

function splitNumbers(text: string): { first: number; second: number; year: number } | undefined {
  const match = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text);
  if (!match) return undefined;
  return { first: Number(match[1]), second: Number(match[3]), year: fullYear(match[4] as string) };
}

/** Expands a two-digit year: 00–49 are in this century; Excel does so up to 29, users mean it up to 49. */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

/** Whether a cell is a date, or a text of one. */
export const isDate = (cell: CellValue): boolean =>
  typeof cell === "object" ? cell.kind === "date" : typeof cell === "string" && DATE_AND_TIME.test(cell);

const DATE_AND_TIME = /^\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:[T ,].*)?$/;
