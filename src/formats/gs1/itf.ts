import { ITF_START, ITF_STOP, type BarCode } from "./bar-code.ts";
import { hasCheckDigit } from "./check-digit.ts";

/**
 * Encodes an ITF-14 symbol.
 * @param gtin 8, 12, 13 or 14 digits; shorter ones are zero-padded
 * @throws RangeError for another length or a wrong check digit
 */
export function encodeItf14(gtin: string): BarCode {
  if (!/^(?:\d{8}|\d{12,14})$/.test(gtin) || !hasCheckDigit(gtin)) throw new RangeError(`No GTIN: ${gtin}`);
  const pairs = gtin.padStart(14, "0").match(/\d\d/g) ?? [];
  return { symbology: "itf", words: [ITF_START, ...pairs.map(Number), ITF_STOP] };
}
