import bwipjs from "bwip-js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkWord, encodeGs1, FNC1, modulesOf, PATTERNS, SEPARATOR, STOP } from "./code128.ts";

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

/** As few code words as there can be, found by trying everything. */
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

test("an SSCC is start C, function 1, ten pairs, check and stop: 156 modules; a postal code of five digits is 90", () => {
  const words = encodeGs1("00006141410000004171");
  expect(words).toEqual([105, 102, 0, 0, 61, 41, 41, 0, 0, 0, 41, 71, checkWord(words.slice(0, -2)), STOP]);
  expect([modulesOf(words), modulesOf(encodeGs1("42089506"))]).toEqual([156, 90]);
});

test("every code word but the stop is three bars and three spaces of 11 modules, each another one", () => {
  const sums = PATTERNS.map((pattern) => [...pattern].reduce((sum, digit) => sum + Number(digit), 0));
  expect([PATTERNS.length, new Set(PATTERNS).size]).toEqual([107, 107]);
  expect(sums).toEqual([...Array<number>(106).fill(11), 13]);
});

test("any data come back as they were, with the right check and in as few code words as there can be", () => {
  const data = fc.string({
    unit: fc.constantFrom(...'0123456789012345678901234567890123456789AZaz!"%/?', SEPARATOR),
    minLength: 1,
    maxLength: 24,
  });
  fc.assert(
    fc.property(data, (text) => {
      const words = encodeGs1(text);
      expect(decode(words)).toBe(text);
      expect(words.at(-2)).toBe(checkWord(words.slice(0, -2)));
      expect(words.length).toBe(4 + Math.min(shortest(text, "B"), shortest(text, "C")));
    }),
    { numRuns: 300 },
  );
});

test("an encoder of others draws the same SSCC bar for bar, and is never shorter", () => {
  const widthsOf = (text: string) => {
    const [symbol] = bwipjs.raw("gs1-128", text, {}) as unknown as { sbs: number[] }[];
    return symbol?.sbs.join("") ?? "";
  };
  const ours = (data: string) =>
    encodeGs1(data)
      .map((word) => PATTERNS[word])
      .join("");
  expect(ours("00006141410000004171")).toBe(widthsOf("(00)006141410000004171"));
  const value = fc.string({
    unit: fc.constantFrom(..."01234567890123456789ABab-/"),
    minLength: 1,
    maxLength: 20,
  });
  fc.assert(
    fc.property(value, (text) => {
      expect(modulesOf(encodeGs1(`91${text}`))).toBeLessThanOrEqual(
        [...widthsOf(`(91)${text}`)].reduce((sum, digit) => sum + Number(digit), 0),
      );
    }),
    { numRuns: 100 },
  );
});
