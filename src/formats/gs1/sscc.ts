import { checkDigit } from "./check-digit.ts";

/** Total digits of company prefix and serial reference. */
const REFERENCE_DIGITS = 16;

/** Counts the serials of a prefix with one extension digit; they start at 0. */
export const countSerials = (prefix: string): number => 10 ** (REFERENCE_DIGITS - prefix.length);

/**
 * Formats a serial shipping container code: extension digit, company prefix, serial reference and check
 * digit.
 */
export function formatSscc({ extension, prefix, serial }: SsccParts): string {
  const reference = String(serial).padStart(REFERENCE_DIGITS - prefix.length, "0");
  const digits = `${extension}${prefix}${reference}`;
  if (digits.length !== 17) throw new RangeError(`Serial ${serial} is beyond prefix ${prefix}`);
  return `${digits}${checkDigit(digits)}`;
}

export type SsccParts = { extension: number; prefix: string; serial: number };

/** Splits a code by its company prefix; undefined if it has another one. */
export function splitSscc(sscc: string, prefix: string): SsccParts | undefined {
  if (!sscc.startsWith(prefix, 1)) return undefined;
  return { extension: Number(sscc[0]), prefix, serial: Number(sscc.slice(1 + prefix.length, 17)) };
}
