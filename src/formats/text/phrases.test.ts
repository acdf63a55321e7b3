import { expect, test } from "vitest";
import { shorten } from "./phrases.ts";

test.each([
  ["40 emoji", "😀".repeat(40), "😀".repeat(40)],
  ["60 emoji", "😀".repeat(60), "😀".repeat(60)],
  ["61 emoji", "😀".repeat(61), `${"😀".repeat(59)}…`],
  ["60 letters", "a".repeat(60), "a".repeat(60)],
  ["61 letters", "a".repeat(61), `${"a".repeat(59)}…`],
  ["a million letters", "a".repeat(1_000_000), `${"a".repeat(59)}…`],
  ["lines", "a\r\n b", "a b"],
])("a text of %s is shortened only if it is longer than 60 characters", (_, text, short) => {
  expect(shorten(text)).toBe(short);
});
