/** Exact decimal: `units` / 10 ** `scale`. Money is never converted to binary fractions. */
export type Decimal = { units: bigint; scale: number };

const MAX_SCALE = 60;
const NUMBER = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/**
 * Reads a decimal from JSON (number or quoted number).
 * @returns undefined if the value is not a finite decimal
 */
export function toDecimal(value: unknown): Decimal | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const match = NUMBER.exec(String(value).trim());
  if (!match) return undefined;
  const [, sign = "", integer = "", fraction = "", exponent = "0"] = match;
  const scale = fraction.length - Number(exponent);
  if (integer + fraction === "" || Math.abs(scale) > MAX_SCALE) return undefined;
  const units = BigInt(sign + integer + fraction);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** Multiplies exactly. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** Rounds to integer cents, halves away from zero. */
export function toCents(value: Decimal): bigint {
  if (value.scale <= 2) return value.units * 10n ** BigInt(2 - value.scale);
  const divisor = 10n ** BigInt(value.scale - 2);
  const magnitude = value.units < 0n ? -value.units : value.units;
  const rounded = (magnitude + divisor / 2n) / divisor;
  return value.units < 0n ? -rounded : rounded;
}

/** Cents of a JSON value; 0 if it is not a number. */
export function parseCents(value: unknown): bigint {
  const decimal = toDecimal(value);
  return decimal ? toCents(decimal) : 0n;
}

/** Converts cents to a JSON number. */
export function centsToNumber(cents: bigint): number {
  return Number(cents) / 100;
}

/** Percentage of an amount, rounded to the cent. */
export function takePercent(cents: bigint, percent: Decimal): bigint {
  return toCents({ units: cents * percent.units, scale: percent.scale + 4 });
}
