const formats = new Map<string, Intl.NumberFormat>();

/**
 * Money in the locale's way: with the sign of its currency, or as a plain number where that is not known.
 * @param amount decimal text, "1234.5"; null gives an empty text
 * @param currency ISO code, "CAD"
 */
export function formatMoney(amount: string | null, currency: string | null): string {
  if (amount === null) return "";
  return formatOf(currency ?? "").format(amount as Intl.StringNumericLiteral);
}

/** What amounts sum to, as decimal text; one that is not known counts as zero. */
export function sumOf(invoices: readonly { amount: string | null }[]): string {
  const cents = invoices.reduce((sum, { amount }) => sum + Math.round(Number(amount ?? 0) * 100), 0);
  return (cents / 100).toFixed(2);
}

/** The currency of a sum; null when it adds several, or nobody knows. */
export function currencyOfSum(currencies: readonly string[]): string | null {
  return currencies.length === 1 ? (currencies[0] ?? null) : null;
}

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency);
  if (known) return known;
  // The formatter throws at codes of another shape.
  const format = /^[A-Z]{3}$/.test(currency)
    ? new Intl.NumberFormat(undefined, { style: "currency", currency, maximumFractionDigits: 2 })
    : new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  formats.set(currency, format);
  return format;
}
