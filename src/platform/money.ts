/**
 * Writes whole cents as a decimal number of the currency's unit, the way QuickBooks takes amounts: 1050 → 10.5.
 * Cents up to 2^53 survive, since a decimal with two places and 15 digits is exact in print.
 */
export function centsToDecimal(cents: number): number {
  return Number((cents / 100).toFixed(2));
}

/** Whole cents of a decimal amount as QuickBooks answers it. */
export function decimalToCents(amount: number): number {
  return Math.round(amount * 100);
}
