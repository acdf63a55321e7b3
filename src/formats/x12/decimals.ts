/** Digits behind the point. */
const scale = (value: string): number => (value.includes(".") ? value.length - value.indexOf(".") - 1 : 0);

/** A decimal text as a whole number of units of 10 to the minus `digits`. */
const scaled = (value: string, digits: number): bigint =>
  BigInt(value.replace(".", "") + "0".repeat(digits - scale(value)));

/** The exact sum of decimal texts, without zeros that say nothing. */
export function addDecimals(values: readonly string[]): string {
  const digits = Math.max(0, ...values.map(scale));
  const sum = values.reduce((total, value) => total + scaled(value, digits), 0n);
  if (digits === 0) return String(sum);
  const text = String(sum < 0n ? -sum : sum).padStart(digits + 1, "0");
  const shown = `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?(?<!0)0+$/, "");
  return sum < 0n ? `-${shown}` : shown;
}

/** True for "2", "2.0" and "02". */
export function isSameDecimal(a: string, b: string): boolean {
  const digits = Math.max(scale(a), scale(b));
  return scaled(a, digits) === scaled(b, digits);
}

/** Whether a text is a decimal number without a sign. */
export const isDecimalText = (value: string): boolean => /\d/.test(value) && /^\d*(?:\.\d*)?$/.test(value);
