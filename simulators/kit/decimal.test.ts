import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCents, centsToNumber, multiply, takePercent, toCents, toDecimal } from "./decimal.ts";

const decimal = (text: string) => toDecimal(text) ?? { units: 0n, scale: 0 };

test("products are exact where binary fractions are not", () => {
  expect(toCents(multiply(decimal("0.1"), decimal("3")))).toBe(30n);
  expect(toCents(multiply(decimal("1.005"), decimal("100")))).toBe(10050n);
  expect(toCents(decimal("1.005"))).toBe(101n);
  expect(toCents(decimal("-2.675"))).toBe(-268n);
  expect(takePercent(1999n, decimal("8.25"))).toBe(165n);
  expect(parseCents(1e21)).toBe(10n ** 23n);
});

test("every amount of cents survives conversion to a JSON number", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 13n), max: 10n ** 13n }), (cents) => {
      expect(parseCents(JSON.parse(JSON.stringify(centsToNumber(cents))))).toBe(cents);
    }),
  );
});

test("text that is not a number gives no decimal", () => {
  for (const value of ["", ".", "1,5", "abc", null, true, {}, NaN, Infinity])
    expect(toDecimal(value)).toBeUndefined();
});
