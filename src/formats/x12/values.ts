import { isTime, readDate, withoutBlanks } from "./check-segment.ts";
import { NotWritable } from "./not-writable.ts";
import type { Segment } from "./transaction-set.ts";

/** An element without the blanks at its end; empty when it is absent. X12 knows no difference between the two. */
export function text(segment: Segment, place: number): string {
  const value = segment[place];
  if (value === undefined) return "";
  return value.charCodeAt(value.length - 1) === 32 ? withoutBlanks(value) : value;
}

/** A day as YYYY-MM-DD; empty when it is absent. */
export const date = (segment: Segment, place: number): string => readDate(text(segment, place)) ?? "";

/** A whole number, or money with two implied decimals in cents; null when it is absent. */
export function wholeNumber(segment: Segment, place: number): number | null {
  const value = text(segment, place);
  return value === "" ? null : Number(value);
}

/** YYYYMMDD from YYYY-MM-DD; empty stays empty. @throws NotWritable if it isn't a day */
export function writeDate(iso: string): string {
  if (iso === "") return "";
  const value = /^\d{4}-\d{2}-\d{2}$/.test(iso) ? iso.replaceAll("-", "") : "";
  if (readDate(value) === undefined) throw new NotWritable("date_not_valid", { value: iso });
  return value;
}

/** HHMM or HHMMSS as it is. @throws NotWritable if it isn't a time */
export function writeTime(time: string): string {
  if (time !== "" && !isTime(time)) throw new NotWritable("time_not_valid", { value: time });
  return time;
}

/** Cents and other whole numbers as X12 has them, without a point. @throws NotWritable for a fraction */
export function writeWhole(value: number | null): string {
  if (value === null) return "";
  if (!Number.isSafeInteger(value)) throw new NotWritable("number_not_valid", { value: String(value) });
  return String(value);
}
