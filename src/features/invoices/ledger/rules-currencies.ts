/** What invoices are billed in, each ISO code once. */
export const currenciesOf = (invoices: readonly { currency: string | null }[]): string[] =>
  [...new Set(invoices.flatMap(({ currency }) => currency ?? []))].toSorted();
