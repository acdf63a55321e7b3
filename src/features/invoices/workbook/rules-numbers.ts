import { decimalToFixed, FIXED_DECIMALS, type Fixed } from "#features/invoices/workbook/rules-amounts.ts";

export type TextNumber = { ok: true; value: Fixed } | { ok: false; hint: string };

const PLAIN_HINT = "Write it as a plain number such as 1234.50.";

/**
 * Reads a number written as text: currency signs and spaces go, commas must group in threes, brackets or a minus at
 * the end make it negative. "1.234,50" is refused rather than guessed.
 * @param decimals places allowed behind the point
 */
export function readNumberText(text: string, decimals: number): TextNumber {
  const { digits, negative } = plainDigits(text);
  const hint = hintFor(digits);
  if (hint) return { ok: false, hint };
  const number = digits.replaceAll(",", "");
  const places = /\.(\d*?)0*$/.exec(number)?.[1]?.length ?? 0;
  if (places > decimals)
    return { ok: false, hint: `It has ${places} decimals; at most ${decimals} are taken. Round it.` };
  const value = decimalToFixed(number, Math.min(decimals, FIXED_DECIMALS));
  if (value === undefined) return { ok: false, hint: PLAIN_HINT };
  return { ok: true, value: negative ? -value : value };
}

/** Without spaces, brackets, currency signs and a sign that stands behind. */
function plainDigits(text: string): { digits: string; negative: boolean } {
  const bare = text.normalize("NFKC").replaceAll(/\s+/g, "").replaceAll("\u2212", "-");
  const inBrackets = /^\(.*\)$/.test(bare);
  const digits = (inBrackets ? bare.slice(1, -1) : bare)
    .replace(/^(-?)(?:USD|CAD|US\$|C\$|[$€£¥])(-?)/i, "$1$2")
    .replace(/(?:USD|CAD|[$€£¥])$/i, "")
    .replace(/^([^-]+)-$/, "-$1")
    .replace(/^\+/, "");
  return { digits, negative: inBrackets };
}

/** Why a number cannot be read for certain; undefined when it can be tried. */
function hintFor(digits: string): string | undefined {
  if (digits.endsWith("%")) return "A percentage is not taken here. Write the number itself.";
  if (/^-?\d{1,3}(?:\.\d{3})+,\d+$|^-?\d+,\d{1,2}$/.test(digits)) {
    return "A comma before the decimals is not taken. Write a point: 1234.50.";
  }
  if (/e[+-]?\d+$/i.test(digits))
    return "Excel has shortened it. Format the column as a number and type it again.";
  return digits.includes(",") && !/^-?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(digits) ? PLAIN_HINT : undefined;
}
