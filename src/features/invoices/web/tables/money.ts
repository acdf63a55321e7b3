const formats = new Map<string, Intl.NumberFormat>();

/**
 * Formats money in the user's locale: with its currency sign, or as a plain number if the currency is
 * unknown.
 * @param amount decimal text, "1234.5"; null gives an empty text
 * @param currency ISO code, "CAD"
 */
export function formatMoney(amount: string | null, currency: string | null): string {
  if (amount === null) return "";
  // The formatter throws for codes of another shape.
  const code = currency !== null && /^[A-Z]{3}$/.test(currency) ? currency : "";
  let format = formats.get(code);
  if (!format) {
    const style = code === "" ? { minimumFractionDigits: 2 } : { style: "currency" as const, currency: code };
    format = new Intl.NumberFormat(undefined, { ...style, maximumFractionDigits: 2 });
    formats.set(code, format);
  }
  return format.format(amount as Intl.StringNumericLiteral);
}

/** Formats a sum of invoices: in their common currency, else as a plain number. */
export function formatSum(amount: string, currencies: readonly string[]): string {
  return formatMoney(amount, currencies.length === 1 ? (currencies[0] ?? null) : null);
}

/** Adds amounts in cents to avoid rounding; an unknown amount counts as zero. Returns decimal text. */
export function sumAmounts(invoices: readonly { amount: string | null }[]): string {
  const cents = invoices.reduce((sum, { amount }) => sum + Math.round(Number(amount ?? 0) * 100), 0);
  return (cents / 100).toFixed(2);
}
