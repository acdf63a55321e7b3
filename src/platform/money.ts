/** Whole cents of a decimal amount as QuickBooks answers it. */
export function decimalToCents(amount: number): number {
  return Math.round(amount * 100);
}
