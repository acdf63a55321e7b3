import { centsText } from "#platform/money.ts";

/** Sums invoices and their amounts for the wire. */
export const sumShares = (shares: readonly { invoices: number; cents: number }[]) => ({
  invoices: shares.reduce((sum, { invoices }) => sum + invoices, 0),
  amount: centsText(shares.reduce((sum, { cents }) => sum + cents, 0)),
});

/** Lists the currencies of invoices, each ISO code once. */
export const listCurrencies = (currencies: Iterable<string | null>): string[] =>
  [...new Set(currencies)].filter((currency) => currency !== null).toSorted();
