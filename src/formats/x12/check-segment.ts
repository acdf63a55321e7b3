import type { FaultCode, FaultPlace } from "./faults.ts";
import { SEGMENT_RULES, type ElementRule, type SegmentRule } from "./segment-rules.ts";
import type { Delimiters } from "./delimiters.ts";
import type { Segment } from "./transaction-set.ts";

type Report = (code: FaultCode, place: FaultPlace) => void;

/**
 * Checks a segment against X12's rules for it; one without rules is taken as it is.
 * @param separators delimiters when simple elements may hold a separator of parts, else null
 */
export function checkSegment(segment: Segment, separators: Delimiters | null, report: Report): void {
  const rule = SEGMENT_RULES.get(segment[0] ?? "");
  if (!rule) return;
  const { elements, lastRequired } = rule;
  const sent = Math.min(segment.length - 1, elements.length);
  for (let at = 0; at < sent || at < lastRequired; at += 1) {
    const element = elements[at] as ElementRule;
    const value = segment[at + 1];
    if (isEmpty(value)) {
      if (element.isRequired) report("element_missing", { element: at + 1, reference: element.reference });
      continue;
    }
    const code =
      findValueFault(value, element) ??
      (separators && element.type !== "C" && holdsSeparator(value, separators)
        ? "character_not_valid"
        : undefined);
    if (code) report(code, { element: at + 1, reference: element.reference, value });
  }
  for (let at = elements.length + 1; at < segment.length; at += 1)
    if (segment[at] !== "") return report("too_many_elements", { element: at, value: segment[at] ?? "" });
  if (rule.pairs.length > 0 || rule.oneOf.length > 0) checkCombinations(segment, rule, report);
}

function checkCombinations(segment: Segment, { elements, pairs, oneOf }: SegmentRule, report: Report): void {
  const has = (place: number) => !isEmpty(segment[place]);
  const missing = (place: number) =>
    report("element_missing_beside", { element: place, reference: elements[place - 1]?.reference ?? null });
  for (const [first, second] of pairs) {
    if (first >= segment.length) break;
    if (has(first) !== has(second)) missing(has(first) ? second : first);
  }
  if (oneOf.length > 0 && !oneOf.some(has)) missing(oneOf[0] ?? 1);
}

const holdsSeparator = (value: string, { component, repetition }: Delimiters) =>
  value.includes(component) || (repetition !== null && value.includes(repetition));

/** Blanks at the end of an element mean nothing. */
const isEmpty = (value: string | undefined): value is undefined | "" =>
  value === undefined || value === "" || (value.charCodeAt(value.length - 1) === 32 && value.trim() === "");

export function findValueFault(
  value: string,
  { type, min, max, pattern }: ElementRule,
): FaultCode | undefined {
  let length = value.length;
  switch (type) {
    case "DT":
      return readDate(value) === undefined ? "date_not_valid" : undefined;
    case "TM":
      return isTime(value) ? undefined : "time_not_valid";
    case "R":
      if (!isDecimal(value)) return "number_not_valid";
      length = countDigits(value);
      break;
    case "N":
      if (!/^-?\d+$/.test(value)) return "number_not_valid";
      length = countDigits(value);
      break;
    default:
      if (value.charCodeAt(length - 1) === 32) length = withoutBlanks(value).length;
  }
  if (length < min) return "too_short";
  if (length > max) return "too_long";
  return pattern && !pattern.test(value) ? "code_not_valid" : undefined;
}

/** Digits with at most one point, which may be the first or the last; an exponent is of later releases. */
export function isDecimal(value: string): boolean {
  let digits = 0;
  let points = 0;
  for (let at = value.charCodeAt(0) === 45 ? 1 : 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code >= 48 && code <= 57) digits += 1;
    else if (code === 46) points += 1;
    else return false;
  }
  return digits > 0 && points <= 1;
}

/** Sign and point do not count for the length of a number. */
function countDigits(value: string): number {
  let count = value.length;
  if (value.charCodeAt(0) === 45) count -= 1;
  return value.includes(".") ? count - 1 : count;
}

/** HHMM, HHMMSS, and hundredths behind them. */
export const isTime = (value: string): boolean => /^([01]\d|2[0-3])[0-5]\d([0-5]\d\d{0,2})?$/.test(value);

/** The text without blanks at its end. */
export function withoutBlanks(value: string): string {
  let end = value.length;
  while (end > 0 && value.charCodeAt(end - 1) === 32) end -= 1;
  return value.slice(0, end);
}

/**
 * A day as YYYY-MM-DD from YYYYMMDD, or from YYMMDD, which stands for the years 1970 to 2069.
 * @returns undefined when it isn't a day
 */
export function readDate(value: string): string | undefined {
  const { length } = value;
  if (length !== 8 && length !== 6) return undefined;
  let number = 0;
  for (let at = 0; at < length; at += 1) {
    const digit = value.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    number = 10 * number + digit;
  }
  if (length === 6) number += number < 700_000 ? 20_000_000 : 19_000_000;
  const day = number % 100;
  const month = Math.floor(number / 100) % 100;
  const year = Math.floor(number / 10_000);
  if (year === 0 || month < 1 || month > 12 || day < 1 || day > daysIn(month, year)) return undefined;
  const monthAndDay = `${value.slice(-4, -2)}-${value.slice(-2)}`;
  return length === 8 ? `${value.slice(0, 4)}-${monthAndDay}` : `${year}-${monthAndDay}`;
}

function daysIn(month: number, year: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
