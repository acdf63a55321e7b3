import { formatBytes, formatPercent } from "#web/kit/format.ts";
import { expect, test } from "vitest";

test("IN-01 sizes and percentages follow the locale's rules", () => {
  expect([
    formatBytes(1),
    formatBytes(900),
    formatBytes(12_700),
    formatBytes(1_300_000),
    formatBytes(5 * 1024 ** 3),
  ]).toEqual(["1 byte", "900 bytes", "12.4 kB", "1.2 MB", "5 GB"]);
  expect([formatPercent(0), formatPercent(62.9), formatPercent(100)]).toEqual(["0%", "62%", "100%"]);
});
