import { expect, test } from "vitest";
import { csvLine } from "#formats/csv/write-csv.ts";

test.each([
  ["plain", "plain"],
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-2", "'-2"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", `"'\t'=1"`],
  ["\r=1", `"'\r'=1"`],
  ["A;=1+1;-2", `"A;'=1+1;'-2"`],
  ["A\n=1+1", `"A\n'=1+1"`],
  ["8-10; 5=5", '"8-10; 5=5"'],
  ['say "a", then b', '"say ""a"", then b"'],
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ["two\nlines", '"two\nlines"'],
])("SE-26 the cell %j is written as %j, so that no spreadsheet evaluates it", (text, written) => {
  expect(csvLine([text, "b"])).toBe(`${written},b\r\n`);
});
