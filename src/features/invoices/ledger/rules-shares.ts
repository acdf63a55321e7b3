import { centsText } from "#platform/money.ts";

/** Some invoices and their money, as the wire has them. */
export const sumShares = (shares: readonly { invoices: number; cents: number }[]) => ({
  invoices: shares.reduce((sum, { invoices }) => sum + invoices, 0),
  amount: centsText(shares.reduce((sum, { cents }) => sum + cents, 0)),
});

/** What invoices are billed in, each ISO code once. */
export const listCurrencies = (currencies: Iterable<string | null>): string[] =>
  [...new Set(currencies)].filter((currency) => currency !== null).toSorted();
