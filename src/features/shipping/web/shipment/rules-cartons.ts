import type { CartonSize } from "#features/shipping/contract.ts";

/** A carton as typed: inches and pounds. */
export type CartonText = Record<CartonField, string>;
export type CartonField = (typeof CARTON_FIELDS)[number];
export const CARTON_FIELDS = ["length", "width", "height", "weight"] as const;

/** The size that most orders have, by the specification. */
export const newCarton = (): CartonText => ({ length: "15", width: "13", height: "3", weight: "2" });

export const toText = (carton: CartonSize): CartonText => ({
  length: String(carton.length),
  width: String(carton.width),
  height: String(carton.height),
  weight: String(carton.weight),
});

/** UPS's limits of a package, in inches and pounds. Girth is twice the sum of the two shorter sides. */
const MAX_SIDE = 108;
const MAX_LENGTH_AND_GIRTH = 165;
const MAX_WEIGHT = 150;

export type CartonFault = "missing" | "number" | "zero" | "decimals" | "too_long" | "too_heavy" | "girth";
export type CartonFaults = Partial<Record<CartonField, CartonFault>>;

/** Finds why UPS would not accept a carton, field by field. */
export function checkCarton(carton: CartonText): CartonFaults {
  const faults: CartonFaults = {};
  for (const field of CARTON_FIELDS) {
    const fault = checkField(field, carton[field]);
    if (fault) faults[field] = fault;
  }
  const sides = readSides(carton);
  if (
    sides &&
    !faults.length &&
    !faults.width &&
    !faults.height &&
    sides.lengthAndGirth > MAX_LENGTH_AND_GIRTH
  )
    faults.length = "girth";
  return faults;
}

function checkField(field: CartonField, text: string): CartonFault | null {
  if (text.trim() === "") return "missing";
  const value = readNumber(text);
  if (value === null) return "number";
  if (value <= 0) return "zero";
  if (toHundredths(value) !== Math.round(value * 1e6) / 1e6) return "decimals";
  if (field === "weight") return value > MAX_WEIGHT ? "too_heavy" : null;
  return value > MAX_SIDE ? "too_long" : null;
}

/** Reads a typed number; null unless it is digits with at most one point. */
const readNumber = (text: string): number | null =>
  /^(\d+(\.\d*)?|\.\d+)$/.test(text.trim()) ? Number(text) : null;

const toHundredths = (value: number) => Math.round(value * 100) / 100;

function readSides(carton: CartonText) {
  const sides = [carton.length, carton.width, carton.height].map(readNumber);
  if (sides.includes(null)) return null;
  const [longest = 0, second = 0, third = 0] = (sides as number[]).toSorted((a, b) => b - a);
  return {
    longest,
    second,
    lengthAndGirth: toHundredths(longest + 2 * (second + third)),
    cubicInches: longest * second * third,
  };
}

/** Where the first wrong value is; null if all are right. */
export function firstFault(cartons: readonly CartonText[]): { index: number; field: CartonField } | null {
  for (const [index, carton] of cartons.entries()) {
    const faults = checkCarton(carton);
    const field = CARTON_FIELDS.find((name) => faults[name]);
    if (field) return { index, field };
  }
  return null;
}

/** The cartons as they are sent; null while a value is wrong. */
export function readCartons(cartons: readonly CartonText[]): CartonSize[] | null {
  if (firstFault(cartons)) return null;
  return cartons.map((carton) => ({
    length: Number(carton.length),
    width: Number(carton.width),
    height: Number(carton.height),
    weight: Number(carton.weight),
  }));
}

/** `large` includes additional handling; above 70 lb UPS asks for a sticker. */
export type Surcharge = "large" | "handling" | "heavy_sticker";

/**
 * Warnings of a carton that UPS takes for more money, or with a sticker.
 * @see UPS's rates of January 2026: Large Package, Additional Handling
 */
export function warnOfSurcharges(carton: CartonText): Surcharge[] {
  const sides = readSides(carton);
  const weight = readNumber(carton.weight);
  if (!sides || weight === null || Object.keys(checkCarton(carton)).length > 0) return [];
  const isLarge =
    sides.longest > 96 || sides.lengthAndGirth > 130 || sides.cubicInches > 17_280 || weight > 110;
  const isHandled = weight > 50 || sides.longest > 48 || sides.second > 30;
  return [
    ...(isLarge ? (["large"] as const) : isHandled ? (["handling"] as const) : []),
    ...(weight > 70 ? (["heavy_sticker"] as const) : []),
  ];
}

export type CartonSum = { count: number; pounds: number };

/** Number of cartons, and the sum of the weights that can be read. */
export function sumCartons(cartons: readonly CartonText[]): CartonSum {
  const pounds = cartons.reduce((sum, { weight }) => sum + (readNumber(weight) ?? 0), 0);
  return { count: cartons.length, pounds: toHundredths(pounds) };
}

/** Gives every carton the size of the first one. */
export function copySize(cartons: readonly CartonText[]): CartonText[] {
  const [first] = cartons;
  if (!first) return [];
  const { weight: _, ...size } = first;
  return cartons.map((carton) => ({ ...carton, ...size }));
}
