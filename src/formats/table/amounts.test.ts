import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalToFixed, FIXED_DECIMALS, numberToFixed } from "./amounts.ts";

const decimals = fc.integer({ min: 0, max: FIXED_DECIMALS });

test("a number from Excel is its decimal text, however it was calculated", () => {
  const typed = fc
    .tuple(fc.integer({ min: -999_999_999_999, max: 999_999_999_999 }), fc.integer({ min: 0, max: 5 }))
    .map(([units, places]) => units / 10 ** places);
  const computed = fc
    .tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: -1e3, max: 1e3, noNaN: true }))
    .map(([a, b]) => a * b);
  fc.assert(
    fc.property(fc.oneof(typed, computed), decimals, (value, places) => {
      fc.pre(Math.abs(value) < 1e12 && !/e/i.test(value.toPrecision(15)));
      expect(numberToFixed(value, places)).toBe(decimalToFixed(value.toPrecision(15), places));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  [0.1 + 0.2, 2, 30_000n],
  [1.005, 2, 101_000n],
  [-1.005, 2, -101_000n],
  [2.675, 2, 268_000n],
  [12.345, 5, 1_234_500n],
  [1e-9, 5, 0n],
  [-0, 2, 0n],
  [999_999_999_999.99, 2, 99_999_999_999_999_000n],
])("%d to %i places is exactly %d", (value, places, fixed) => {
  expect(numberToFixed(value, places)).toBe(fixed);
});

test.each([1e12, -1e12, Infinity, NaN])("%d is not an amount", (value) => {
  expect(numberToFixed(value, 2)).toBeUndefined();
});
