import {
  formatBytes,
  formatDay,
  formatLocalDay,
  formatMoment,
  formatPercent,
  formatShortDay,
  formatTime,
  formatZoned,
  showTimesIn,
} from "#web/kit/format.ts";
import { expect, onTestFinished, test, vi } from "vitest";

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

// The suites run in Newfoundland's time, which is behind UTC.
test("IN-01 times are shown in the current company's zone, also across a year's end", () => {
  vi.useFakeTimers({ now: Date.parse("2027-01-01T01:00:00Z"), toFake: ["Date"] });
  onTestFinished(() => {
    showTimesIn(undefined);
    vi.useRealTimers();
  });
  const shown = (at: string) => [formatLocalDay(at), formatMoment(at), formatZoned(at), formatTime(at)];
  const iso = "2026-12-31T23:00:00Z";
  showTimesIn("America/Los_Angeles");
  expect(shown(iso).map((text) => text.replaceAll("\u202f", " "))).toEqual([
    "Dec 31, 2026",
    "Dec 31, 2026, 3:00 PM PST",
    "Dec 31, 3:00 PM PST",
    "3:00 PM PST",
  ]);
  showTimesIn("Asia/Tokyo");
  expect(shown(iso)[2]).toMatch(/^Jan 1, 8:00/);
});

test("IN-01 a moment is shown in the reader's zone without a company, a date in the books as the same day everywhere", () => {
  const [winter, summer] = ["2026-11-10T02:00:00Z", "2026-07-10T02:00:00Z"];
  const shown = (text: string) => text.replaceAll("\u202f", " ");
  expect([winter, summer].map((iso) => shown(formatMoment(iso)))).toEqual([
    "Nov 9, 2026, 10:30 PM GMT-3:30",
    "Jul 9, 2026, 11:30 PM GMT-2:30",
  ]);
  expect([formatLocalDay(winter), shown(formatTime(winter))]).toEqual(["Nov 9, 2026", "10:30 PM GMT-3:30"]);
  expect([formatDay("2026-11-10"), formatDay(null), formatShortDay("2026-11-10")]).toEqual([
    "Nov 10, 2026",
    "",
    "Nov 10",
  ]);
});

test("IN-01 a time with its zone has its year if that isn't the current one", () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-29T12:00:00Z"), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const shown = (iso: string) => formatZoned(iso).replaceAll("\u202f", " ");
  expect([shown("2026-11-10T02:00:00Z"), shown("2025-11-10T02:00:00Z")]).toEqual([
    "Nov 9, 10:30 PM GMT-3:30",
    "Nov 9, 2025, 10:30 PM GMT-3:30",
  ]);
});
