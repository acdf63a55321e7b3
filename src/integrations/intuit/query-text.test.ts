import fc from "fast-check";
import { expect, test } from "vitest";
import { isLongStatement, quoteText } from "#integrations/intuit/query-text.ts";

test.each([
  ["INV-1001", "'INV-1001'"],
  ["O'Hara & Sons", "'O\\'Hara & Sons'"],
  ["''", "'\\'\\''"],
  ["Café Zürich", "'Café Zürich'"],
  ["", "''"],
  ["100%", "'100%'"],
])("%s is quoted for a query", (text, quoted) => {
  expect(quoteText(text)).toBe(quoted);
});

test.each([
  ["a\\b"],
  ["\\' or Id > '0"],
  ["curly \u2019"],
  ["dash \u2013"],
  ["emoji 🚚"],
  ["line\nbreak"],
  ["\u0000"],
  ["Łódź"],
])("%j cannot be used in a query", (text) => {
  expect(quoteText(text)).toBeNull();
});

test("a quoted text never ends before its last character, and reads back unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const quoted = quoteText(text);
      if (quoted === null) return;
      const inside = quoted.slice(1, -1);
      expect(inside.replaceAll("\\'", "")).not.toContain("'");
      expect(inside.replaceAll("\\'", "'")).toBe(text);
    }),
  );
});

test("a statement too long for an address is detected by its encoded length", () => {
  expect(isLongStatement("select * from Invoice")).toBe(false);
  expect(isLongStatement(`select * from Invoice where DocNumber in (${"'A', ".repeat(300)}'B')`)).toBe(true);
});
