import { shapeOf, type Shape } from "./number-shape.ts";

/** How a number is to be understood because of the format its cell has; `format` is its code. */
export type FormatKind =
  | { kind: "plain" }
  | { kind: "date" }
  | ({ format: string } & (
      | /** An amount of hours, kept as a part of a day. */ { kind: "time" }
      | { kind: "percent" }
      /** Money of a currency that the format names by its sign, a dollar sign apart: many currencies share it. */
      | { kind: "money"; sign: string }
      /** Whole numbers are shown with more than their digits, as in a postal code or "INV-00012". */
      | { kind: "padded"; shape: Shape }
    ));

/** Numbers of the built-in formats that show a date or a time of day; 27–36 and 50–58 are the East Asian ones. */
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
 * What a number format makes of a number.
 * @param id number of the format; those below 164 are built in and have no code in the file
 * @param code the custom format code, when the file has one
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
  const sign = signOf(code);
  if (sign !== undefined) return { kind: "money", format: code, sign };
  const shape = shapeOf(code);
  return shape ? { kind: "padded", format: code, shape } : { kind: "plain" };
}

/** Letters count only outside quoted text, escapes and brackets: `[Red]0.00`, `0 "days"` and `0\d` show numbers. */
function isDateCode(bare: string): boolean {
  const letters = bare.replace(/\[[^\]]*\]/g, "");
  return /[ymdhs]/i.test(letters) && !/general|standard/i.test(letters);
}

function withoutLiterals(code: string): string {
  return code.replace(/"[^"]*"?|\\.|[_*]./g, "");
}

/** `[$€-407]` and a bare or quoted sign alike. */
function signOf(code: string): string | undefined {
  const sign =
    /\[\$([^\]-]+)(?:-[^\]]*)?\]/.exec(code)?.[1] ??
    /[€£¥]/.exec(code)?.[0] ??
    /"\s*(USD|CAD|EUR|GBP|JPY|CHF|AUD|MXN)\s*"/.exec(code)?.[1];
  return sign === undefined || sign.trim() === "$" ? undefined : sign.trim().toUpperCase();
}
