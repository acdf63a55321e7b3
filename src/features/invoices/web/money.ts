const money = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Money with the locale's separators. @param amount decimal text, "1234.5"; null gives an empty text */
export function formatMoney(amount: string | null): string {
  if (amount === null) return "";
  return money.format(amount as Intl.StringNumericLiteral);
}
