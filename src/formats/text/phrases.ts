import { ownRow, sheetPrefix, type SheetNames } from "./sheet-rows.ts";

/** Quotes a cell's content for a sentence. */
export const quote = (value: string): string => `"${shorten(value)}"`;

/** Shortens a text to one line of a few characters, without splitting a character. */
export function shorten(value: string, most = 60): string {
  const line = value.replaceAll(/\s+/g, " ");
  // Not the whole of a line that may have a million characters.
  const characters = Array.from(line.slice(0, 2 * most + 2));
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join("")}…`;
}

const LISTS = {
  and: new Intl.ListFormat("en-US", { type: "conjunction" }),
  or: new Intl.ListFormat("en-US", { type: "disjunction" }),
};

/** Joins words: "A", "A and B", "A, B, and C". */
export const joinList = (parts: readonly string[], word: keyof typeof LISTS = "and"): string =>
  LISTS[word].format(parts);

/** Writes row numbers as "2, 5-9, and 12"; a long list is shortened. */
export const rowRanges = (rows: readonly number[], sheets?: SheetNames): string =>
  rangesText(toRanges(rows), sheets);

/** Returns the first ranges of row numbers as a flat list of starts and ends, as many as `rangesText` needs. */
export function toRanges(rows: readonly number[]): number[] {
  const ranges: [number, number][] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last && row === last[1] + 1) last[1] = row;
    else if (ranges.length > MAX_RANGES) break;
    else ranges.push([row, row]);
  }
  return ranges.flat();
}

const MAX_RANGES = 5;

/**
 * @param ranges as returned by `toRanges`
 * @param sheets names of the sheets if several were read: "March!2, 5-9, and April!2"
 */
export function rangesText(ranges: readonly number[], sheets: SheetNames = []): string {
  const texts: string[] = [];
  let before = "";
  for (let index = 0; index < ranges.length; index += 2) {
    const [from = 0, to = from] = [ranges[index], ranges[index + 1]];
    const prefix = sheetPrefix(from, sheets);
    const rows = from === to ? `${ownRow(from)}` : `${ownRow(from)}-${ownRow(to)}`;
    texts.push(prefix === before ? rows : `${prefix}${rows}`);
    before = prefix;
  }
  return joinList(texts.length > MAX_RANGES ? [...texts.slice(0, MAX_RANGES), "more"] : texts);
}

/** "Invoices" */
export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** "1,234" */
export const formatCount = (count: number): string => count.toLocaleString("en-US");

/** Formats the day of a moment in a time zone, as "2026-11-22". @param timeZone an IANA name */
export function dayIn(timeZone: string): (moment: Date) => string {
  // Sweden writes dates as ISO 8601 does.
  const days = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  return (moment) => days.format(moment);
}
