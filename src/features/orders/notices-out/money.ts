/** A decimal text as a whole number and its digits behind the point; null for other text. */
function parse(text: string): { units: bigint; digits: number } | null {
  const [, sign, whole = "", fraction = ""] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === "" && fraction === "") return null;
  const units = BigInt(whole + fraction);
  return { units: sign === "-" ? -units : units, digits: fraction.length };
}

/** Cents of decimal dollars; null if it isn't an amount, or has fractions of a cent. */
export function toCents(text: string): number | null {
  const parsed = parse(text);
  if (!parsed) return null;
  const { units, digits } = parsed;
  if (digits <= 2) return Number(units * 10n ** BigInt(2 - digits));
  const scale = 10n ** BigInt(digits - 2);
  return units % scale === 0n ? Number(units / scale) : null;
}

/** "41.50" */
export function fromCents(cents: number): string {
  const text = String(Math.abs(cents)).padStart(3, "0");
  return `${cents < 0 ? "-" : ""}${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** Rounds half away from zero, as QuickBooks and retailers do. */
function divide(value: bigint, by: bigint): number {
  const isNegative = value < 0n;
  const rounded = ((isNegative ? -value : value) * 2n + by) / (2n * by);
  return Number(isNegative ? -rounded : rounded);
}

/** Cents of a quantity at a price, both decimal text, rounded once; null if either isn't a number. */
export function multiplyToCents(quantity: string, price: string): number | null {
  const [first, second] = [parse(quantity), parse(price)];
  if (!first || !second) return null;
  const digits = first.digits + second.digits;
  return divide(first.units * second.units * 100n, 10n ** BigInt(digits));
}

/** Cents that a percent, as decimal text, is of an amount; null if it isn't a number. */
export function percentOfCents(cents: number, percent: string): number | null {
  const parsed = parse(percent);
  return parsed && divide(BigInt(cents) * parsed.units, 10n ** BigInt(parsed.digits + 2));
}
