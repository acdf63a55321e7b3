/** How a number is to be understood because of the format its cell has. */
export type FormatKind =
  | { kind: "plain" }
  | { kind: "date" }
  /** Zeros in front, as in a postal code: at least this many digits are shown. */
  | { kind: "padded"; digits: number };

const PLAIN: FormatKind = { kind: "plain" };
const DATE: FormatKind = { kind: "date" };

/** Numbers of the built-in formats that show a date or a time of day; 27–36 and 50–58 are the East Asian ones. */
const BUILT_IN_DATES = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
] as const;

/**
 * What a number format makes of a number.
 * @param id number of the format; those below 164 are built in and have no code in the file
 * @param code the custom format code, when the file has one
 * @see ECMA-376 part 1, 18.8.30 and 18.8.31
 */
export function classifyFormat(id: number, code: string | undefined): FormatKind {
  if (code === undefined) return BUILT_IN_DATES.some(([from, to]) => id >= from && id <= to) ? DATE : PLAIN;
  if (/^0{2,}$/.test(code)) return { kind: "padded", digits: code.length };
  return isDateCode(code) ? DATE : PLAIN;
}

/**
 * Letters count only outside quoted text, escapes and brackets: `[Red]0.00`, `0 "days"` and `0\d` show numbers.
 * An elapsed time such as `[h]:mm` is an amount of hours, not a point in time, and stays a number.
 */
function isDateCode(code: string): boolean {
  const firstSection = withoutLiterals(code).split(";", 1)[0] ?? "";
  if (/\[(?:h+|m+|s+)\]/i.test(firstSection)) return false;
  const letters = firstSection.replace(/\[[^\]]*\]/g, "");
  return /[ymdhs]/i.test(letters) && !/general|standard/i.test(letters);
}

function withoutLiterals(code: string): string {
  return code.replace(/"[^"]*"?|\\.|[_*]./g, "");
}
