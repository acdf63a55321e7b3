import bwipjs from "bwip-js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkDigit, hasCheckDigit } from "./check-digit.ts";
import { countModules, QUIET_MODULES } from "./bar-code.ts";
import { encodeGs1, SEPARATOR } from "./code128.ts";
import { decodeBars } from "./decode.ts";
import {
  findElementFault,
  MAX_CHARACTERS,
  MAX_WIDTH_MM,
  toElementString,
  type Element,
} from "./element-strings.ts";
import { formatSscc, countSerials, splitSscc } from "./sscc.ts";

const MODULE_MM = 0.5;
const read = (text: string): Element[] =>
  [...text.matchAll(/\((\d+)\)([^(]*)/g)].map(([, ai = "", value = ""]) => ({ ai, value }));

/** By the rules of GS1's own syntax engine. */
test.each([
  ["(00)006141410000004171", undefined],
  ["(00)006141410000004172", "check_digit_wrong"],
  ["(00)00614141000000417", "value_not_valid"],
  ["(01)00614141999996", undefined],
  ["(01)00614141999997", "check_digit_wrong"],
  ["(420)89506", undefined],
  ["(420)123456789012345678901", "value_not_valid"],
  ["(420)89 506", "value_not_valid"],
  ["(420)89506(421)840895", "identifier_excluded"],
  ["(421)124H2X1Y4", undefined],
  ["(421)12H2X1Y4", "value_not_valid"],
  ["(421)1241234567890", "value_not_valid"],
  ["(400)PO#55", "value_not_valid"],
  ["(400)PO 123", "value_not_valid"],
  ["(400)PO-123", undefined],
  ["(37)12", "identifier_missing"],
  ["(00)006141410000004171(02)00614141999996(37)12", undefined],
  ["(10)LOT1", "identifier_missing"],
  ["(01)00614141000012(37)4", "identifier_excluded"],
  ["(401)ABC", "value_not_valid"],
  ["(402)12345678901234567", "check_digit_wrong"],
  ["(403)ROUTE", "identifier_missing"],
  ["(410)0614141000012", undefined],
  ["(410)0614141000013", "check_digit_wrong"],
  ["(90)A(90)B", "identifier_twice"],
  ["(91)0412", undefined],
  ["(99)" + "A".repeat(91), "value_not_valid"],
  ["(9)1", "unknown_identifier"],
  ["(01)00614141000012(10)LOT-1(21)S/1", undefined],
  ["(01)00614141000012(10)" + "L".repeat(21), "value_not_valid"],
  ["(01)00614141000012(10)LOT 1", "value_not_valid"],
  ["(01)00614141000012(15)261130", undefined],
  ["(01)00614141000012(17)261131", "value_not_valid"],
  ["(01)00614141000012(17)261100", undefined],
  ["(01)00614141000012(17)280229", undefined],
  ["(01)00614141000012(17)270229", "value_not_valid"],
  ["(01)00614141000012(17)261301", "value_not_valid"],
  ["(01)00614141000012(17)260001", "value_not_valid"],
  ["(01)00614141000012(17)2611", "value_not_valid"],
  ["(15)261130", "identifier_missing"],
  ["(01)00614141000012(21)" + "S".repeat(21), "value_not_valid"],
  ["(21)S1", "identifier_missing"],
  ["(00)006141410000004171(02)00614141999996(37)123456789", "value_not_valid"],
  ["(00)006141410000004171(02)00614141999996", "identifier_missing"],
  ["(421)840895(420)89506", "identifier_excluded"],
])("GS1's rules say of %s: %s, and another checker agrees", (text, code) => {
  expect(findElementFault(read(text), MODULE_MM)?.code).toBe(code);
  if (LENIENT.includes(text)) return;
  const encode = () => bwipjs.raw("gs1-128", text, {});
  if (code === undefined) expect(encode()).toHaveLength(1);
  else expect(encode).toThrow();
});

/** Element strings that the other checker accepts: it requires no companion of these. */
const LENIENT: readonly string[] = [
  "(37)12",
  "(10)LOT1",
  "(403)ROUTE",
  "(15)261130",
  "(21)S1",
  "(00)006141410000004171(02)00614141999996",
];

test("a symbol of more than 48 characters or 165.1 mm is refused, though other encoders print it", () => {
  expect(findElementFault(read(`(91)${"1".repeat(46)}`), MODULE_MM)).toBeUndefined();
  expect(findElementFault(read(`(91)${"1".repeat(47)}`), MODULE_MM)).toEqual({
    code: "too_many_characters",
    count: 49,
  });
  expect(findElementFault(read(`(91)${"A".repeat(30)}`), MODULE_MM)).toMatchObject({ code: "too_wide" });
});

test("identifiers in the label's other symbols count for pairs, not for the symbol's own length", () => {
  const content = read("(02)00614141999996(15)261130(37)12");
  expect(findElementFault(content, MODULE_MM)).toEqual({ code: "identifier_missing", ai: "37", other: "00" });
  expect(findElementFault(content, MODULE_MM, ["00"])).toBeUndefined();
  expect(findElementFault(read("(420)89506"), MODULE_MM, ["421"])?.code).toBe("identifier_excluded");
  expect(findElementFault(read("(91)1"), MODULE_MM, ["91", "00"])).toBeUndefined();
});

test("an element of variable length is terminated unless it is last, even a shipment number of 17 digits", () => {
  const shipment = `1234567890123456${checkDigit("1234567890123456")}`;
  expect(toElementString(read("(00)006141410000004171(420)89506"))).toBe("0000614141000000417142089506");
  expect(toElementString(read(`(402)${shipment}(10)A(21)B`))).toBe(
    `402${shipment}${SEPARATOR}10A${SEPARATOR}21B`,
  );
});

test("check digits follow GS1, and a number is the extension digit, the prefix and the serial", () => {
  expect([checkDigit("00614141000000417"), hasCheckDigit("614141007349"), hasCheckDigit("4")]).toEqual([
    1,
    true,
    false,
  ]);
  expect(formatSscc({ extension: 3, prefix: "0614141", serial: 417 })).toBe("306141410000004172");
  expect(() => formatSscc({ extension: 0, prefix: "0614141", serial: 1_000_000_000 })).toThrow(RangeError);
  expect([countSerials("0614141"), countSerials("0614141234")]).toEqual([1_000_000_000, 1_000_000]);
  expect(splitSscc("306141410000004172", "0614141")).toEqual({
    extension: 3,
    prefix: "0614141",
    serial: 417,
  });
  expect(splitSscc("306141410000004172", "0614142")).toBeUndefined();
});

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: length, maxLength: length });
const storageKey = (length: number) => digits(length - 1).map((key) => `${key}${checkDigit(key)}`);
const readText = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789ABab-/"), minLength: 1, maxLength });

/** Elements that one symbol may have together, those of fixed length and others in turn. */
const SETS = fc.oneof(
  fc.tuple(storageKey(14), readText(6), readText(6)).map(([gtin, lot, serial]) => [
    { ai: "01", value: gtin },
    { ai: "10", value: lot },
    { ai: "21", value: serial },
  ]),
  fc.tuple(storageKey(17), readText(8)).map(([shipment, store]) => [
    { ai: "402", value: shipment },
    { ai: "91", value: store },
  ]),
  fc.tuple(storageKey(18), digits(5)).map(([sscc, zip]) => [
    { ai: "420", value: zip },
    { ai: "00", value: sscc },
  ]),
);

test("another encoder puts function 1 at the same places, and agrees on every check digit", () => {
  const textFrom = (elements: readonly Element[]) =>
    elements.map(({ ai, value }) => `(${ai})${value}`).join("");
  const drawn = (text: string) => bwipjs.raw("gs1-128", text, {}) as unknown as { sbs: number[] }[];
  fc.assert(
    fc.property(SETS, (elements) => {
      const widths = drawn(textFrom(elements))[0]?.sbs.join("") ?? "";
      expect(decodeBars(widths)?.data).toBe(toElementString(elements));
      const [first] = elements.filter(({ ai }) => ["00", "01", "402"].includes(ai));
      const wrong = elements.map((each) =>
        each === first
          ? { ...each, value: `${each.value.slice(0, -1)}${(Number(each.value.at(-1)) + 1) % 10}` }
          : each,
      );
      expect(findElementFault(wrong, MODULE_MM)?.code).toBe("check_digit_wrong");
      expect(() => drawn(textFrom(wrong))).toThrow();
    }),
    { numRuns: 100 },
  );
});

test("a symbol is refused exactly when it has more than 48 characters or is wider than 165.1 mm", () => {
  const value = fc.string({
    unit: fc.constantFrom(..."0123456789012345678901234567890Aa"),
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(value, fc.constantFrom(0.495, 0.5, 0.508, 1.016), (text, moduleMm) => {
      const data = toElementString([{ ai: "91", value: text }]);
      const mm = (countModules(encodeGs1(data)) + 2 * QUIET_MODULES) * moduleMm;
      expect(findElementFault([{ ai: "91", value: text }], moduleMm)?.code).toBe(
        data.length > MAX_CHARACTERS ? "too_many_characters" : mm > MAX_WIDTH_MM ? "too_wide" : undefined,
      );
    }),
    { numRuns: 300 },
  );
});
