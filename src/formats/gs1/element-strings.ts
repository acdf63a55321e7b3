import { IDENTIFIERS, PAIRS } from "./application-identifiers.ts";
import { hasCheckDigit } from "./check-digit.ts";
import { encodeGs1, modulesOf, QUIET_MODULES, SEPARATOR } from "./code128.ts";

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
 * What is wrong with the elements of one symbol, by GS1's rules; undefined for a good one.
 * @param moduleMm width of a module
 */
export function findElementFault(elements: readonly Element[], moduleMm: number): ElementFault | undefined {
  for (const element of elements) {
    const fault = valueFault(element) ?? pairFault(element, elements);
    if (fault) return fault;
  }
  const data = toElementString(elements);
  if (data.length > MAX_CHARACTERS) return { code: "too_many_characters", count: data.length };
  const mm = (modulesOf(encodeGs1(data)) + 2 * QUIET_MODULES) * moduleMm;
  return mm > MAX_WIDTH_MM ? { code: "too_wide", mm } : undefined;
}

function valueFault({ ai, value }: Element): ElementFault | undefined {
  const identifier = IDENTIFIERS[ai];
  if (!identifier) return { code: "unknown_identifier", ai };
  if (!identifier.pattern.test(value)) return { code: "value_not_valid", ai };
  const { checked } = identifier;
  return checked !== undefined && !hasCheckDigit(value.slice(0, checked))
    ? { code: "check_digit_wrong", ai }
    : undefined;
}

function pairFault({ ai }: Element, elements: readonly Element[]): ElementFault | undefined {
  const others = elements.map((element) => element.ai);
  if (others.filter((other) => other === ai).length > 1) return { code: "identifier_twice", ai };
  for (const pair of PAIRS.filter((each) => each.ai === ai)) {
    const missing = pair.with?.find((choice) => !choice.some((other) => others.includes(other)));
    if (missing) return { code: "identifier_missing", ai, other: missing.join(" or ") };
    const excluded = pair.without?.find((other) => others.includes(other));
    if (excluded) return { code: "identifier_excluded", ai, other: excluded };
  }
  return undefined;
}
