import bwipjs from "bwip-js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { barWidths, CODE128_PATTERNS, countModules } from "./bar-code.ts";
import { checkWord, encodeCode128, encodeGs1, FNC1, SEPARATOR, STOP } from "./code128.ts";
import { decodeBars } from "./decode.ts";
import { encodeItf14 } from "./itf.ts";

const START_C = 105;

/** The characters that code words stand for, by the tables of Code 128; written a second time, without the encoder. */
function decode(words: readonly number[]): string {
  let set = words[0] === START_C ? "C" : "B";
  let text = "";
  for (const word of words.slice(2, -2)) {
    if (word === FNC1) text += SEPARATOR;
    else if (word === 100 && set === "C") set = "B";
    else if (word === 99 && set === "B") set = "C";
    else text += set === "C" ? String(word).padStart(2, "0") : String.fromCharCode(word + 32);
  }
  return text;
}

/** The minimum number of code words, found by brute force. */
function shortest(data: string, set: "B" | "C", at = 0, known = new Map<string, number>()): number {
  if (at === data.length) return 0;
  const key = `${set}${at}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  known.set(key, Infinity);
  const other = set === "B" ? "C" : "B";
  const go = (next: number) => 1 + shortest(data, set, next, known);
  const ways = [1 + shortest(data, other, at, known)];
  if (data[at] === SEPARATOR || set === "B") ways.push(go(at + 1));
  else if (/^\d\d/.test(data.slice(at))) ways.push(go(at + 2));
  known.delete(key);
  const best = Math.min(...ways);
  if (Number.isFinite(best)) known.set(key, best);
  return best;
}

test("an SSCC is start C, function 1, ten pairs, check and stop: 156 modules; a five-digit postal code is 90", () => {
  const symbol = encodeGs1("00006141410000004171");
  const { words } = symbol;
  expect(words).toEqual([105, 102, 0, 0, 61, 41, 41, 0, 0, 0, 41, 71, checkWord(words.slice(0, -2)), STOP]);
  expect([countModules(symbol), countModules(encodeGs1("42089506"))]).toEqual([156, 90]);
});

test("every code word but the stop is three bars and three spaces in 11 modules, and no two are the same", () => {
  const sums = CODE128_PATTERNS.map((pattern) => [...pattern].reduce((sum, digit) => sum + Number(digit), 0));
  expect([CODE128_PATTERNS.length, new Set(CODE128_PATTERNS).size]).toEqual([107, 107]);
  expect(sums).toEqual([...Array<number>(106).fill(11), 13]);
});

test("any data is read back unchanged, with the right check character and in as few code words as possible", () => {
  const data = fc.string({
    unit: fc.constantFrom(...'0123456789012345678901234567890123456789AZaz!"%/?', SEPARATOR),
    minLength: 1,
    maxLength: 24,
  });
  fc.assert(
    fc.property(data, (text) => {
      const { words } = encodeGs1(text);
      expect(decode(words)).toBe(text);
      expect(words.at(-2)).toBe(checkWord(words.slice(0, -2)));
      expect(words.length).toBe(4 + Math.min(shortest(text, "B"), shortest(text, "C")));
    }),
    { numRuns: 300 },
  );
});

test("another encoder draws the same SSCC bar for bar, and is never shorter", () => {
  const measureWidths = (text: string) => {
    const [symbol] = bwipjs.raw("gs1-128", text, {}) as unknown as { sbs: number[] }[];
    return symbol?.sbs.join("") ?? "";
  };
  expect(barWidths(encodeGs1("00006141410000004171"))).toBe(measureWidths("(00)006141410000004171"));
  const value = fc.string({
    unit: fc.constantFrom(..."01234567890123456789ABab-/"),
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(value, (text) => {
      expect(countModules(encodeGs1(`91${text}`))).toBeLessThanOrEqual(
        [...measureWidths(`(91)${text}`)].reduce((sum, digit) => sum + Number(digit), 0),
      );
    }),
    { numRuns: 100 },
  );
});

/** Widths of bars and spaces by another encoder, in modules. */
function drawnByOthers(kind: string, text: string, options = {}): number[] {
  const [symbol] = bwipjs.raw({ bcid: kind, text, ...options }) as unknown as { sbs: number[] }[];
  return symbol?.sbs ?? [];
}

test("plain Code 128 has no function 1, reads back unchanged, and is as short as another encoder's", () => {
  expect(encodeCode128("PO 55#").words.includes(FNC1)).toBe(false);
  const value = fc.string({
    unit: fc.oneof(
      fc.constantFrom(..."0123456789"),
      fc.integer({ min: 32, max: 126 }).map(String.fromCharCode),
    ),
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(value, (text) => {
      const symbol = encodeCode128(text);
      expect(decodeBars(barWidths(symbol))).toEqual({ kind: "code-128", data: text });
      const modules = drawnByOthers("code128", text).reduce((sum, each) => sum + each, 0);
      expect(countModules(symbol)).toBeLessThanOrEqual(modules);
    }),
    { numRuns: 300 },
  );
});

test.each(["", "Müller", "a\tb", "PO\u001D1"])("plain Code 128 cannot hold %j", (text) => {
  expect(() => encodeCode128(text)).toThrow(RangeError);
});

test.each([
  ["00614141999996", "00614141999996"],
  ["614141999996", "00614141999996"],
  ["4006381333931", "04006381333931"],
  ["96385074", "00000096385074"],
])("ITF-14 of %s is drawn bar for bar as by another encoder and reads back as %s", (gtin, data) => {
  const symbol = encodeItf14(gtin);
  // The other encoder adds the quiet zone after the last bar.
  const drawn = drawnByOthers("interleaved2of5", data, { includecheck: false }).slice(0, -1);
  const narrow = Math.min(...drawn);
  expect([...barWidths(symbol)].map((width) => width === "5")).toEqual(drawn.map((width) => width > narrow));
  expect(decodeBars(barWidths(symbol))).toEqual({ kind: "itf-14", data });
  expect([
    countModules(symbol),
    [...barWidths(symbol)].reduce((sum, width) => sum + Number(width), 0) / 2,
  ]).toEqual([120.5, 120.5]);
});

test.each(["00614141999997", "0061414199999", "0061414199999X", "12345"])(
  "%s is not a GTIN for ITF-14",
  (gtin) => {
    expect(() => encodeItf14(gtin)).toThrow(RangeError);
  },
);

test("a symbol with one bar or space of the wrong width does not read back as its data", () => {
  const symbols = [encodeGs1("00006141410000004171"), encodeCode128("PO 55#"), encodeItf14("00614141999996")];
  for (const widths of symbols.map(barWidths)) {
    const data = decodeBars(widths)?.data;
    for (let place = 0; place < widths.length; place += 1)
      for (const width of "123456")
        if (width !== widths[place])
          expect(decodeBars(`${widths.slice(0, place)}${width}${widths.slice(place + 1)}`)?.data).not.toBe(
            data,
          );
    expect(decodeBars(widths.slice(0, -1))).toBeNull();
  }
  expect(decodeBars("")).toBeNull();
});
