import { IDENTIFIERS, PAIRS } from "./application-identifiers.ts";
import { hasCheckDigit } from "./check-digit.ts";
import { countModules, QUIET_MODULES } from "./bar-code.ts";
import { encodeGs1, SEPARATOR } from "./code128.ts";

/** An application identifier with its value. */
export type Element = { ai: string; value: string };

/** Why elements are no good symbol, as a code with what its sentence says. */
export type ElementFault =
  | { code: "unknown_identifier" | "value_not_valid" | "check_digit_wrong"; ai: string }
  | { code: "identifier_missing" | "identifier_excluded"; ai: string; other: string }
  | { code: "identifier_twice"; ai: string }
  | { code: "too_many_characters"; count: number }
  | { code: "too_wide"; mm: number };

/** Characters of one symbol, identifiers and separators counted. */
export const MAX_CHARACTERS = 48;
/** Width of one symbol with its quiet zones. */
export const MAX_WIDTH_MM = 165.1;

/** The data of a symbol: identifiers and values, those of no fixed length closed unless they are the last. */
export const toElementString = (elements: readonly Element[]): string =>
  elements
    .map(({ ai, value }, at) => {
      const isClosed = at === elements.length - 1 || IDENTIFIERS[ai]?.isFixed === true;
      return `${ai}${value}${isClosed ? "" : SEPARATOR}`;
    })
    .join("");

/**
 * The first fault of the elements of one symbol, by GS1's rules; undefined for a good one.
 * @param moduleMm width of a module
 * @param onLabel identifiers in other symbols of the label: GS1 judges pairs by all symbols on one carton
 */
export function findElementFault(
  elements: readonly Element[],
  moduleMm: number,
  onLabel: readonly string[] = [],
): ElementFault | undefined {
  const all = [...elements.map(({ ai }) => ai), ...onLabel];
  for (const element of elements) {
    const { ai } = element;
    if (elements.filter((other) => other.ai === ai).length > 1) return { code: "identifier_twice", ai };
    const fault = valueFault(element) ?? pairFault(ai, all);
    if (fault) return fault;
  }
  const data = toElementString(elements);
  if (data.length > MAX_CHARACTERS) return { code: "too_many_characters", count: data.length };
  const mm = (countModules(encodeGs1(data)) + 2 * QUIET_MODULES) * moduleMm;
  return mm > MAX_WIDTH_MM ? { code: "too_wide", mm } : undefined;
}

function valueFault({ ai, value }: Element): ElementFault | undefined {
  const identifier = IDENTIFIERS[ai];
  if (!identifier) return { code: "unknown_identifier", ai };
  const { checked, pattern, isDate } = identifier;
  if (!pattern.test(value) || (isDate && !isGs1Date(value))) return { code: "value_not_valid", ai };
  return checked !== undefined && !hasCheckDigit(value.slice(0, checked))
    ? { code: "check_digit_wrong", ai }
    : undefined;
}

/** Year, month and day in two digits each; day 00 means the whole month. */
function isGs1Date(value: string): boolean {
  const [year, month, day] = [value.slice(0, 2), value.slice(2, 4), value.slice(4)].map(Number);
  const days = new Date(Date.UTC(2000 + (year ?? 0), month ?? 0, 0)).getUTCDate();
  return month !== undefined && month >= 1 && month <= 12 && (day ?? 0) <= days;
}

function pairFault(ai: string, others: readonly string[]): ElementFault | undefined {
  for (const pair of PAIRS.filter((each) => each.ai === ai)) {
    const missing = pair.with?.find((choice) => !choice.some((other) => others.includes(other)));
    if (missing) return { code: "identifier_missing", ai, other: missing.join(" or ") };
    const excluded = pair.without?.find((other) => others.includes(other));
    if (excluded) return { code: "identifier_excluded", ai, other: excluded };
  }
  return undefined;
}
