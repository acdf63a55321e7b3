import { expect, test } from "vitest";
import { readDateText } from "./dates.ts";

test.each([
  ["1/31/00", "2000-01-31"],
  ["1/31/29", "2029-01-31"],
  ["1/31/30", "2030-01-31"],
  ["31-Jan-36", "2036-01-31"],
  ["Jan 31, 49", "2049-01-31"],
  ["1/31/50", "1950-01-31"],
  ["1/31/99", "1999-01-31"],
  ["1/31/1949", "1949-01-31"],
])("%s is %s: years of two digits are of this century up to 49", (text, iso) => {
  expect(readDateText(text, "mdy")).toEqual({ kind: "date", iso });
});
