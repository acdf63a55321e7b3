/** Converts a decimal amount from QuickBooks to integer cents. */
export function decimalToCents(amount: number): number {
  return Math.round(amount * 100);
}

/** Formats integer cents as decimal text: 105 → "1.05". */
export const centsText = (cents: number): string => (cents / 100).toFixed(2);

/**
 * Formats money for US readers, "$1,234.50"; without a currency, as a plain number. @param currency ISO code
 */
export function moneyText(cents: number, currency: string | null): string {
  // The formatter throws for codes of another shape.
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) return centsText(cents);
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);
}
