import { expect, test } from "vitest";
import { CODE128_PATTERNS } from "#formats/gs1/bar-code.ts";
import { encodeGs1 } from "#formats/gs1/code128.ts";
import { decodeCode128 } from "#formats/gs1/decode.ts";
import { readLine } from "../../../test/support/read-pages.ts";

/** A line of dots with symbols between light spaces. */
const drawLine = (symbols: readonly (readonly number[])[], module: number, quiet = 10): Uint8Array => {
  const dots: number[] = [];
  const push = (length: number, dot: number) => dots.push(...Array<number>(length).fill(dot));
  push(quiet * module, 0);
  for (const words of symbols) {
    const widths = [...words.map((word) => CODE128_PATTERNS[word]).join("")];
    for (const [at, width] of widths.entries()) push(Number(width) * module, at % 2 === 0 ? 1 : 0);
    push(quiet * module, 0);
  }
  return Uint8Array.from(dots);
};

const SSCC = encodeGs1("00006141410000000005").words;
const STORE = encodeGs1("91A-7c").words;

test.each([4, 6, 12])("symbols on a line are read back at %i dots per module", (module) => {
  const found = readLine(drawLine([SSCC, STORE], module));
  expect(found.map(({ words, error }) => [decodeCode128(words)?.data, error])).toEqual([
    ["00006141410000000005", 0],
    ["91A-7c", 0],
  ]);
});

test("a bar that is one dot off is still measured; one that is two off gives another symbol or none", () => {
  const dots = drawLine([SSCC], 4);
  const first = dots.indexOf(0, dots.indexOf(1));
  dots[first] = 1;
  const [seen] = readLine(dots);
  expect([seen && decodeCode128(seen.words)?.data, seen?.error]).toEqual(["00006141410000000005", 0.25]);
  dots[first + 1] = 1;
  expect(readLine(dots).filter(({ words }) => decodeCode128(words) !== null)).toEqual([]);
});

test.each([
  ["a quiet zone that is too narrow", drawLine([SSCC], 4, 9)],
  ["rules and light alone", Uint8Array.from([0, 0, 1, 1, 1, 0, 0, 0, 1])],
  ["nothing", new Uint8Array(0)],
])("no symbol is found in %s", (_, dots) => {
  expect(readLine(dots)).toEqual([]);
});

test.each([
  ["a wrong check character", [...SSCC.slice(0, -2), ((SSCC.at(-2) ?? 0) + 1) % 103, 106]],
  ["no stop", SSCC.slice(0, -1)],
])("code words with %s are not a symbol", (_, words) => {
  expect(decodeCode128(words)).toBeNull();
});
