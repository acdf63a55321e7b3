/**
 * A quantity, rate or amount in exact hundred-thousandths: 9.99 is 999000n. Five decimals, as many as
 * accounting programs keep for quantities and rates.
 */
export type Fixed = bigint;

export const FIXED_DECIMALS = 5;
export const ONE: Fixed = 100_000n;
const CENT: Fixed = 1_000n;

/** Computes quantity × rate in whole cents, rounding halves away from zero: 3 × 0.335 is 1.01. */
export function multiplyToCents(qty: Fixed, rate: Fixed): bigint {
  return divideRounded(qty * rate, ONE * CENT);
}

/** Multiplies a workbook's own numbers the way Excel does. @returns undefined beyond 10^12 */
export function multiplyNumbersToCents(qty: number, rate: number): bigint | undefined {
  const product = numberToFixed(qty * rate, 2);
  return product === undefined ? undefined : toCents(product);
}

/**
 * Computes a percentage of an amount in whole cents, rounding halves away from zero: 7.5% of 10.10 is 0.76.
 */
export function percentOfCents(cents: bigint, percent: Fixed): bigint {
  return divideRounded(cents * percent, 100n * ONE);
}

/** Rounds an amount to whole cents, halves away from zero. */
export function toCents(amount: Fixed): bigint {
  return divideRounded(amount, CENT);
}

/**
 * Finds the rate that gives `cents` for `qty`, if five decimals can express it; likewise the quantity for a
 * rate.
 * @returns undefined if `qty` is zero or there is no such rate
 */
export function divideCents(cents: bigint, qty: Fixed): Fixed | undefined {
  if (qty === 0n) return undefined;
  const rate = divideRounded(cents * CENT * ONE, qty);
  return multiplyToCents(qty, rate) === cents ? rate : undefined;
}

/** Converts to a JSON number; prints exactly up to 15 digits. */
export function fixedToNumber(value: Fixed): number {
  return Number(value) / Number(ONE);
}

/** Formats with at least two decimals and no thousands separator: 1234.5 is "1234.50". */
export function formatMoney(value: Fixed): string {
  const digits = (value < 0n ? -value : value).toString().padStart(6, "0");
  const decimals = digits.slice(-5).replace(/0{1,3}$/, "");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -5)}.${decimals}`;
}

/** Formats as short as possible: 3.50000 is "3.5". */
export function formatQty(value: Fixed): string {
  return formatMoney(value).replace(/\.?0{1,5}$/, "");
}

export function centsToFixed(cents: bigint): Fixed {
  return cents * CENT;
}

export const formatCents = (cents: bigint): string => formatMoney(centsToFixed(cents));

/**
 * Converts a number from Excel, rounded to `decimals` places, halves away from zero. @returns undefined
 * beyond 10^12
 */
export function numberToFixed(value: number, decimals: number): Fixed | undefined {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e12) return undefined;
  const scale = 10 ** decimals;
  const units = Math.round(value * scale);
  // A decimal of at most 14 digits survives the conversion to a number and back, so the number's text needn't be parsed.
  if (Math.abs(units) < 1e14 && units / scale === value) return BigInt(units) * (TENS[decimals] ?? ONE);
  const text = value.toPrecision(15);
  return decimalToFixed(/e/i.test(text) ? value.toFixed(20) : text, decimals);
}

/** Units of a fixed number in the last decimal place, by the number of decimals. */
const TENS = Array.from(
  { length: FIXED_DECIMALS + 1 },
  (_, decimals) => 10n ** BigInt(FIXED_DECIMALS - decimals),
);

/**
 * Parses a plain decimal such as "-12.345", rounded to `decimals` places. @returns undefined if it is not one
 */
export function decimalToFixed(text: string, decimals: number): Fixed | undefined {
  const match = /^(-?)(\d{0,12})(?:\.(\d*))?$/.exec(text);
  if (!match || (match[2] === "" && !match[3])) return undefined;
  const [, sign, units = "", fraction = ""] = match;
  const kept = BigInt((units || "0") + fraction.slice(0, decimals).padEnd(decimals, "0"));
  const rounded = kept + ((fraction[decimals] ?? "0") >= "5" ? 1n : 0n);
  const value = rounded * 10n ** BigInt(FIXED_DECIMALS - decimals);
  return sign === "-" ? -value : value;
}

function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const [up, down] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = (2n * up + down) / (2n * down);
  return negative ? -quotient : quotient;
}
