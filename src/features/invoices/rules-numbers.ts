import { decimalToFixed, FIXED_DECIMALS, type Fixed } from "#features/invoices/rules-amounts.ts";

export type TextNumber = { ok: true; value: Fixed } | { ok: false; hint: string };

const PLAIN_HINT = "Write it as a plain number such as 1234.50.";

/**
 * Reads a number written as text: currency signs and spaces go, commas must group in threes, brackets or a minus at
 * the end make it negative. "1.234,50" is refused rather than guessed.
 * @param decimals places allowed behind the point
 */
export function readNumberText(text: string, decimals: number): TextNumber {
  let digits = text.normalize("NFKC").replaceAll(/\s+/g, "").replaceAll("\u2212", "-");
  let negative = false;
  if (/^\(.*\)$/.test(digits)) {
    negative = true;
    digits = digits.slice(1, -1);
  }
  digits = digits
    .replace(/^(-?)(?:USD|CAD|US\$|C\$|[$€£¥])(-?)/i, "$1$2")
    .replace(/(?:USD|CAD|[$€£¥])$/i, "");
  if (/^[^-]+-$/.test(digits)) digits = `-${digits.slice(0, -1)}`;
  digits = digits.replace(/^\+/, "");
  if (digits.endsWith("%"))
    return { ok: false, hint: "A percentage is not taken here. Write the number itself." };
  if (/^-?\d{1,3}(?:\.\d{3})+,\d+$|^-?\d+,\d{1,2}$/.test(digits)) {
    return { ok: false, hint: "A comma before the decimals is not taken. Write a point: 1234.50." };
  }
  if (/e[+-]?\d+$/i.test(digits))
    return { ok: false, hint: "Excel has shortened it. Format the column as a number and type it again." };
  if (digits.includes(",")) {
    if (!/^-?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(digits)) return { ok: false, hint: PLAIN_HINT };
    digits = digits.replaceAll(",", "");
  }
  const places = /\.(\d*?)0*$/.exec(digits)?.[1]?.length ?? 0;
  if (places > decimals)
    return { ok: false, hint: `It has ${places} decimals; at most ${decimals} are taken.` };
  const value = decimalToFixed(digits, Math.min(decimals, FIXED_DECIMALS));
  if (value === undefined) return { ok: false, hint: PLAIN_HINT };
  return { ok: true, value: negative ? -value : value };
}
