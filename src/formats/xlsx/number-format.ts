/** Meaning that a cell's format gives to its number; `format` is the format code. */
export type FormatKind =
  | { kind: "plain" }
  | { kind: "date" }
  | ({ format: string } & (
      | /** An amount of hours, kept as a part of a day. */ { kind: "time" }
      | /** `byText`: the sign is only a text of the format, so that 10 is shown as "10%". */ {
          kind: "percent";
          byText?: true;
        }
      /**
       * Money in a currency whose sign is in the format, except the dollar sign, which many currencies share.
       */
      | { kind: "money"; sign: string }
      /** Whole numbers are displayed with more than their digits, as in a postal code or "INV-00012". */
      | { kind: "padded"; shape: Shape }
    ));

/** Ids of built-in formats that show a date or a time of day; 27–36 and 50–58 are the East Asian ones. */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
] as const;
const BUILT_IN: Readonly<Record<number, FormatKind>> = {
  9: { kind: "percent", format: "0%" },
  10: { kind: "percent", format: "0.00%" },
  46: { kind: "time", format: "[h]:mm:ss" },
};

/**
 * Classifies a number format.
 * @param id number format id; ids below 164 are built in and have no code in the file
 * @param code the custom format code, if the file has one
 * @see ECMA-376 part 1, 18.8.30 and 18.8.31
 */
export function classifyFormat(id: number, code: string | undefined): FormatKind {
  if (code === undefined) {
    const isDate = BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to);
    return BUILT_IN[id] ?? { kind: isDate ? "date" : "plain" };
  }
  const bare = withoutLiterals(code).split(";", 1)[0] ?? "";
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return { kind: "time", format: code };
  if (isDateCode(bare)) return { kind: "date" };
  if (bare.includes("%")) return { kind: "percent", format: code };
  if (hasPercentText(code)) return { kind: "percent", format: code, byText: true };
  const sign = findSign(code);
  if (sign !== undefined) return { kind: "money", format: code, sign };
  const shape = parseShape(code);
  return shape ? { kind: "padded", format: code, shape } : { kind: "plain" };
}

/** Whether the first part of a format has a percent sign as a text, quoted or escaped. */
function hasPercentText(code: string): boolean {
  for (const [token, quoted, escaped] of code.matchAll(TOKEN)) {
    if (token === ";") return false;
    if (quoted?.includes("%") || escaped === "%") return true;
  }
  return false;
}

/**
 * Letters count only outside quoted text, escapes and brackets: `[Red]0.00`, `0 "days"` and `0\d` show
 * numbers.
 */
function isDateCode(bare: string): boolean {
  const letters = bare.replace(/\[[^[\]]*\]/g, "");
  return /[ymdhs]/i.test(letters) && !/general|standard/i.test(letters);
}

function withoutLiterals(code: string): string {
  return code.replace(/"[^"]*"?|\\.|[_*]./g, "");
}

/** Finds the sign in `[$€-407]`, or a bare or quoted sign or code. */
function findSign(code: string): string | undefined {
  const sign =
    /\[\$([^[\]-]+)(?:-[^[\]]*)?\]/.exec(code)?.[1] ??
    /(?<![A-Z])(?:US|CA?|AU?|NZ|HK|MX|S|R)?\p{Sc}/u.exec(code)?.[0] ??
    /"\s*(USD|CAD|EUR|GBP|JPY|CHF|AUD|MXN|INR|NZD|PLN|SEK|NOK|DKK)\s*"/.exec(code)?.[1];
  return sign === undefined || sign.trim() === "$"
    ? undefined
    : sign.trim().normalize("NFKC").replace(/\.$/, "").toUpperCase();
}

/**
 * Literal texts and digit placeholders of a format, in order; a placeholder with `zero` shows a zero if no
 * digit is left.
 */
export type Shape = readonly (Place | string)[];
type Place = { readonly zero: boolean };

const TOKEN = /"([^"]*)"?|\\(.)|[_*].|\[[^[\]]*\]|(general|standard)|([0#?])|([-+ ():'!^&~{}$])|[^]/giy;

/**
 * Parses how a format shows an integer, if that is more than its digits: `00000`, `"INV-"0000`, `000-000`.
 * @returns undefined for formats that group, round, scale or show only the digits
 */
export function parseShape(code: string): Shape | undefined {
  const shape: (Place | string)[] = [];
  for (const token of code.matchAll(TOKEN)) {
    if (token[0] === ";") break;
    const part = parsePart(token);
    if (part === undefined) return undefined;
    if (part !== "") shape.push(part);
  }
  const places = shape.filter((each) => typeof each === "object");
  const zeros = places.filter(({ zero }) => zero).length;
  const hasText = shape.some((each) => typeof each === "string" && each.trim() !== "");
  return places.length > 0 && (zeros > 1 || hasText) ? shape : undefined;
}

/** @returns "" for hidden tokens, undefined for tokens that this parser does not support */
function parsePart([token, quoted, escaped, general, digit, plain]: RegExpExecArray):
  | Place
  | string
  | undefined {
  if (digit !== undefined) return { zero: digit === "0" };
  if (general !== undefined) return { zero: true };
  return quoted ?? escaped ?? plain ?? (/^(?:[_*]|\[[$A-Z])/i.test(token) ? "" : undefined);
}

/** Formats a non-negative integer; digits beyond the placeholders come before the first. */
export function showInShape(shape: Shape, number: number): string {
  const digits = String(number).split("");
  const first = shape.findIndex((each) => typeof each === "object");
  return shape
    .map((_, index) => index)
    .toReversed()
    .map((index) => {
      const place = shape[index];
      if (typeof place !== "object") return place ?? "";
      if (index === first) return digits.splice(0).join("") || (place.zero ? "0" : "");
      return digits.pop() ?? (place.zero ? "0" : "");
    })
    .toReversed()
    .join("")
    .trim();
}
