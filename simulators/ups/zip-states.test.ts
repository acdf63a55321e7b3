import { expect, test } from "vitest";
import { fitsCity, fitsState, isState } from "./zip-states.ts";

test.each([
  ["94043", "CA", true],
  ["303391234", "GA", true],
  ["30339", "FL", false],
  ["00501", "NY", true],
  ["05501", "MA", true],
  ["00801", "VI", true],
  ["34001", "AA", true],
  ["34001", "FL", false],
  ["99501", "AK", true],
  ["73301", "TX", true],
  ["73301", "OK", false],
])("ZIP code %s in %s: %s", (zip, state, fits) => {
  expect(fitsState(zip, state)).toBe(fits);
});

test("states are known by two letters, and cities by name where the ZIP code is known", () => {
  expect([isState("CA"), isState("ca"), isState("ZZ")]).toEqual([true, false, false]);
  expect([fitsCity("30339", " atlanta "), fitsCity("30339", "Savannah"), fitsCity("12345", "Any")]).toEqual([
    true,
    false,
    true,
  ]);
});
