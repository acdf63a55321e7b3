/** A number as PDF writes it: no exponent, at most four decimals. */
export const number = (value: number): string => String(Math.round(value * 10_000) / 10_000);
