import { expect, test } from "vitest";
import { readDateText } from "./dates.ts";

test.each([
  "20261120",
  "Fri, Nov 20, 2026",
  "Friday, November 20, 2026",
  "Tues 11/20/2026",
  "2026-11-20 09:12:44 -0500",
  "2026-11-20 09:12:44 UTC",
  "11/20/2026 9:12:44 AM EST",
  "2026-11-20T23:59:59.123Z",
  "20th of November 2026",
])("%s is November 20, whatever time, zone or weekday is next to it", (text) => {
  expect(readDateText(text, "mdy")).toMatchObject({ iso: "2026-11-20" });
});

test.each(["20261320", "11202026", "Nov 20", "2026-11", "12345678"])("%s is not a date", (text) => {
  expect(readDateText(text, "mdy")).toEqual({ kind: "none" });
});

test.each([
  ["1/31/00", "2000-01-31"],
  ["1/31/29", "2029-01-31"],
  ["1/31/30", "2030-01-31"],
  ["31-Jan-36", "2036-01-31"],
  ["Jan 31, 49", "2049-01-31"],
  ["1/31/50", "1950-01-31"],
  ["1/31/99", "1999-01-31"],
  ["1/31/1949", "1949-01-31"],
])("%s is %s: two-digit years up to 49 are in this century", (text, iso) => {
  expect(readDateText(text, "mdy")).toEqual({ kind: "date", iso });
});
