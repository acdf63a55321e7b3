import { hasCheckDigit } from "./check-digit.ts";
import { countModules, QUIET_MODULES } from "./bar-code.ts";
import { encodeGs1, SEPARATOR } from "./code128.ts";

/** An application identifier and its allowed values. */
export type Identifier = {
  /** GS1's abbreviated title, printed beside the barcode. */
  title: string;
  pattern: RegExp;
  /** Every scanner knows its length, so no separator follows it. */
  isFixed?: true;
  /** Number of leading digits whose last one is a check digit. */
  checked?: number;
  isDate?: true;
};

/** Characters of an alphanumeric value, GS1's CSET 82, which has no space. */
export const CSET_82 = "A-Za-z0-9!\"%&'()*+,\\-./:;<=>?_";

const text = (max: number) => new RegExp(`^[${CSET_82}]{1,${max}}$`);
const digits = (count: number) => new RegExp(`^\\d{${count}}$`);
const gln = (title: string): Identifier => ({ title, pattern: digits(13), isFixed: true, checked: 13 });
const day = (title: string): Identifier => ({ title, pattern: digits(6), isFixed: true, isDate: true });
const internal = (max: number): Identifier => ({ title: "INTERNAL", pattern: text(max) });

/**
 * Identifiers of carton labels. 402 always has 17 digits but is not on GS1's list of predefined lengths, so a
 * separator follows it.
 * @see GS1 Syntax Dictionary, for lengths, character sets and pairs
 */
export const IDENTIFIERS: Readonly<Record<string, Identifier>> = {
  "00": { title: "SSCC", pattern: digits(18), isFixed: true, checked: 18 },
  "01": { title: "GTIN", pattern: digits(14), isFixed: true, checked: 14 },
  "02": { title: "CONTENT", pattern: digits(14), isFixed: true, checked: 14 },
  "10": { title: "BATCH/LOT", pattern: text(20) },
  "11": day("PROD DATE"),
  "13": day("PACK DATE"),
  "15": day("BEST BEFORE"),
  "17": day("USE BY"),
  "20": { title: "VARIANT", pattern: digits(2), isFixed: true },
  "21": { title: "SERIAL", pattern: text(20) },
  "30": { title: "VAR. COUNT", pattern: /^\d{1,8}$/ },
  "37": { title: "COUNT", pattern: /^\d{1,8}$/ },
  "240": { title: "ADDITIONAL ID", pattern: text(30) },
  "241": { title: "CUST. PART No.", pattern: text(30) },
  "400": { title: "ORDER NUMBER", pattern: text(30) },
  "401": { title: "GINC", pattern: new RegExp(`^\\d{4}[${CSET_82}]{0,26}$`) },
  "402": { title: "GSIN", pattern: digits(17), checked: 17 },
  "403": { title: "ROUTE", pattern: text(30) },
  "410": gln("SHIP TO LOC"),
  "413": gln("SHIP FOR LOC"),
  "420": { title: "SHIP TO POST", pattern: text(20) },
  "421": { title: "SHIP TO POST", pattern: new RegExp(`^\\d{3}[${CSET_82}]{1,9}$`) },
  "90": internal(30),
  "91": internal(90),
  "92": internal(90),
  "93": internal(90),
  "94": internal(90),
  "95": internal(90),
  "96": internal(90),
  "97": internal(90),
  "98": internal(90),
  "99": internal(90),
};

/**
 * Identifiers that a carton must have in addition to another, at least one of each list, and those it must
 * not have.
 */
export const PAIRS: readonly {
  ai: string;
  with?: readonly (readonly string[])[];
  without?: readonly string[];
}[] = [
  { ai: "01", without: ["02", "37"] },
  { ai: "02", with: [["37"]], without: ["01"] },
  { ai: "37", with: [["00"], ["02"]], without: ["01"] },
  { ai: "10", with: [["01", "02"]] },
  { ai: "11", with: [["01", "02"]] },
  { ai: "13", with: [["01", "02"]] },
  { ai: "15", with: [["01", "02"]] },
  { ai: "17", with: [["01", "02"]] },
  { ai: "21", with: [["01"]] },
  { ai: "20", with: [["01", "02"]] },
  { ai: "30", with: [["01", "02"]] },
  { ai: "240", with: [["01", "02"]] },
  { ai: "241", with: [["01", "02"]] },
  { ai: "403", with: [["00"]] },
  { ai: "420", without: ["421"] },
  { ai: "421", without: ["420"] },
];

/** An application identifier with its value. */
export type Element = { ai: string; value: string };

/** Reason that elements form no valid symbol: a code with the facts for its sentence. */
export type ElementFault =
  | { code: "unknown_identifier" | "value_not_valid" | "check_digit_wrong"; ai: string }
  | { code: "identifier_missing" | "identifier_excluded"; ai: string; other: string }
  | { code: "identifier_twice"; ai: string }
  | { code: "too_many_characters"; count: number }
  | { code: "too_wide"; mm: number };

/** Maximum characters of one symbol, including identifiers and separators. */
export const MAX_CHARACTERS = 48;
/** Maximum width of one symbol including its quiet zones. */
export const MAX_WIDTH_MM = 165.1;

/**
 * Builds the data of a symbol: identifiers and values; those of variable length are terminated unless they
 * are last.
 */
export const toElementString = (elements: readonly Element[]): string =>
  elements
    .map(({ ai, value }, at) => {
      const isClosed = at === elements.length - 1 || IDENTIFIERS[ai]?.isFixed === true;
      return `${ai}${value}${isClosed ? "" : SEPARATOR}`;
    })
    .join("");

/**
 * Finds the first fault of the elements of one symbol, by GS1's rules; undefined if there is none.
 * @param moduleMm width of a module
 * @param onLabel identifiers in other symbols of the label: GS1 checks pairs across all symbols on one carton
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

/** Whether a value is a date with two digits each for year, month and day; day 00 means the whole month. */
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
