import {
  checkCarton,
  copySize,
  firstFault,
  newCarton,
  readCartons,
  sumCartons,
  warnOfSurcharges,
  type CartonText,
} from "#features/shipping/web/shipment/rules-cartons.ts";
import { expect, test } from "vitest";

const carton = (more: Partial<CartonText> = {}): CartonText => ({ ...newCarton(), ...more });

test("CR-07 a new carton is 15 × 13 × 3 in and 2 lb", () => {
  expect(newCarton()).toEqual({ length: "15", width: "13", height: "3", weight: "2" });
});

test("CR-12 values are sent as numbers, however they were typed", () => {
  expect(readCartons([carton({ length: " 15.50 ", weight: ".5" })])).toEqual([
    { length: 15.5, width: 13, height: 3, weight: 0.5 },
  ]);
});

test.each<[string, Partial<CartonText>, object]>([
  ["blank", { width: " " }, { width: "missing" }],
  ["words", { width: "wide" }, { width: "number" }],
  ["a comma", { width: "1,5" }, { width: "number" }],
  ["a sign", { width: "-3" }, { width: "number" }],
  ["zero", { height: "0.00" }, { height: "zero" }],
  ["three decimals", { weight: "2.125" }, { weight: "decimals" }],
  ["trailing zeros", { weight: "2.500" }, {}],
  ["the longest", { length: "108" }, {}],
  ["too long", { length: "108.01" }, { length: "too_long" }],
  ["too wide", { width: "108.01" }, { width: "too_long" }],
  ["the heaviest", { weight: "150" }, {}],
  ["too heavy", { weight: "150.01" }, { weight: "too_heavy" }],
  ["length and girth at the limit", { length: "100", width: "20", height: "12.5" }, {}],
  ["length and girth above it", { length: "100", width: "20", height: "12.51" }, { length: "girth" }],
  [
    "its longest side counts as its length",
    { length: "20", width: "100", height: "12.51" },
    { length: "girth" },
  ],
  ["several", { length: "", weight: "x" }, { length: "missing", weight: "number" }],
])("CR-21 a carton with %s is checked against UPS's limits and the number format", (_, more, faults) => {
  expect(checkCarton(carton(more))).toEqual(faults);
});

test("CR-21 the first wrong field is found, and cartons with one are not sent", () => {
  const cartons = [carton(), carton({ height: "0", width: "x" })];
  expect([firstFault(cartons), readCartons(cartons)]).toEqual([{ index: 1, field: "width" }, null]);
  expect(firstFault([carton()])).toBeNull();
});

test.each<[Partial<CartonText>, string[]]>([
  [{}, []],
  [{ weight: "50" }, []],
  [{ weight: "50.01" }, ["handling"]],
  [{ weight: "70.01" }, ["handling", "heavy_sticker"]],
  [{ weight: "110.01" }, ["large", "heavy_sticker"]],
  [{ length: "48" }, []],
  [{ length: "48.01" }, ["handling"]],
  [{ length: "40", width: "30.01" }, ["handling"]],
  [{ length: "96.01" }, ["large"]],
  [{ length: "60", width: "20", height: "15.01" }, ["large"]],
  [{ length: "30", width: "24", height: "24" }, []],
  [{ length: "30", width: "24", height: "24.01" }, ["large"]],
  // A carton that UPS refuses has no surcharge.
  [{ length: "120" }, []],
  [{ length: "" }, []],
])("CR-21 a carton with %o gets a warning of UPS's surcharges: %o", (more, warnings) => {
  expect(warnOfSurcharges(carton(more))).toEqual(warnings);
});

test("the sum of weights omits what is not a number", () => {
  expect(sumCartons([carton(), carton({ weight: "14.55" }), carton({ weight: "x" })])).toEqual({
    count: 3,
    pounds: 16.55,
  });
  expect(sumCartons([carton({ weight: "0.1" }), carton({ weight: "0.2" })]).pounds).toBe(0.3);
});

test("CR-22 the size of the first carton is copied, and each carton keeps its weight", () => {
  expect(copySize([carton({ length: "20" }), carton({ weight: "9" })])).toEqual([
    carton({ length: "20" }),
    carton({ length: "20", weight: "9" }),
  ]);
});
