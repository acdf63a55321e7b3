/** Integer cents of a decimal amount as QuickBooks returns it. */
export function decimalToCents(amount: number): number {
  return Math.round(amount * 100);
}

/** Integer cents as decimal text: 105 → "1.05". */
export const centsText = (cents: number): string => (cents / 100).toFixed(2);
