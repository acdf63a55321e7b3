import { expect, test } from "vitest";
import { findUnmatched } from "./breaks.mjs";

test("a break whose text isn't in its file any more, or twice, is refused", () => {
  const read = () => "if (a) send();\nif (b) send();";
  const find = (text: string) =>
    findUnmatched(
      [{ name: "n", file: "x.ts", find: text, replace: "", test: "x.test.ts", suite: "api", title: "t" }],
      read,
    );
  expect(find("if (a)")).toEqual([]);
  for (const text of ["if (c)", "send()"])
    expect(find(text)).toEqual(['test/breaks.json: the text of "n" must be in x.ts once']);
});
