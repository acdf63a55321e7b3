import { expect, test } from "vitest";
import { isWithinBounds } from "#platform/json-bounds.ts";

const BOUNDS = { depth: 3, values: 10, names: 5 };
const isWithin = (text: string) => isWithinBounds(Buffer.from(text), BOUNDS);

test.each([
  ["a text of its depth", '{"a":[{"b":1}]}', true],
  ["a deeper text", '{"a":[{"b":[]}]}', false],
  ["lists next to each other", "[[[]],[[]],[[]]]", true],
  ["brackets in a text", `["${"[{".repeat(50)}"]`, true],
  ["brackets behind an escaped quote", String.raw`["\"[[[[[[[["]`, true],
  ["brackets behind an escaped backslash", String.raw`["\\",[[[1]]]]`, false],
  ["as many values as allowed", "[1,2,3,4,5,6,7,8,9,10]", true],
  ["more values", "[1,2,3,4,5,6,7,8,9,10,11]", false],
  ["more fields", '{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', false],
  ["an incomplete text", '{"a":"', true],
])("%s: %s", (_name, text, expected) => {
  expect(isWithin(text)).toBe(expected);
});

test("UO-16 16 MB are looked at in little time", () => {
  const bounds = { depth: 100, values: 1e9, names: 1e9 };
  for (const part of ["[", '"', "\\", "[],", '{"a":1},', "x"]) {
    const text = Buffer.from(part.repeat((16 * 1024 * 1024) / part.length));
    isWithinBounds(text.subarray(0, 100_000), bounds);
    const before = process.threadCpuUsage();
    isWithinBounds(text, bounds);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000, part).toBeLessThan(1_000);
  }
});
