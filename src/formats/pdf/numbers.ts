/** A number as PDF writes it: no exponent, at most four decimals, none that say nothing. */
export function number(value: number): string {
  const rounded = Math.round(value * 10_000) / 10_000;
  return Number.isInteger(rounded)
    ? String(rounded)
    : rounded
        .toFixed(4)
        .replace(/0+$/, "")
        .replace(/^(-?)0\./, "$1.");
}
