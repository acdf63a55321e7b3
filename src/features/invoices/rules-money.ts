/** Whole cents as decimal text: 105 → "1.05". */
export const centsText = (cents: number): string => (cents / 100).toFixed(2);

/** What invoices are billed in, each ISO code once. */
export const currenciesOf = (invoices: readonly { currency: string | null }[]): string[] =>
  [...new Set(invoices.flatMap(({ currency }) => currency ?? []))].toSorted();
