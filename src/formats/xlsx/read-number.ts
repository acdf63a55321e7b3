import type { XmlScan } from "./xml-scan.ts";

const POWERS_OF_TEN = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/**
 * The number between two places of the part, without making a string of it where it has at most 15 digits and no
 * exponent: then digits ÷ power of ten is the exact nearest double. Longer ones are rounded to the 15 significant
 * digits that Excel shows (19.989999999999998 is 19.99).
 * @returns undefined when it is not a number
 */
export function readNumber(scan: XmlScan, start: number, end: number): number | undefined {
  const { bytes } = scan;
  const negative = bytes[start] === 0x2d;
  let digits = 0;
  let count = 0;
  let decimals = -1;
  for (let at = negative ? start + 1 : start; at < end; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit >= 0 && digit <= 9) {
      digits = digits * 10 + digit;
      count++;
      if (decimals >= 0) decimals++;
    } else if (digit === -2 && decimals < 0) decimals = 0;
    else return readSlowNumber(bytes.toString("latin1", start, end));
  }
  if (count === 0 || count > 15) return readSlowNumber(bytes.toString("latin1", start, end));
  const value = decimals > 0 ? digits / (POWERS_OF_TEN[decimals] as number) : digits;
  return negative ? 0 - value : value;
}

function readSlowNumber(text: string): number | undefined {
  if (!/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(text)) return undefined;
  const value = Number(Number(text).toPrecision(15));
  return Number.isFinite(value) ? value : undefined;
}
