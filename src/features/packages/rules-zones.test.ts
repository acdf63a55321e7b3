import { expect, test } from "vitest";
import { nameZone } from "#features/packages/rules-zones.ts";

const scan = (at: string | null, local: string, place: string) => {
  const [day = "", time = ""] = local.split(" ");
  return { at, local_date: day, local_time: time, place };
};

test.each([
  ["2026-11-20T11:09:00.000Z", "2026-11-20 03:09:00", "Mountain View, CA", "PST"],
  ["2026-07-20T10:09:00.000Z", "2026-07-20 03:09:00", "Mountain View, CA", "PDT"],
  ["2026-07-20T10:09:00.000Z", "2026-07-20 03:09:00", "SEDONA, AZ", "MST"],
  ["2026-11-20T11:09:00.000Z", "2026-11-20 05:09:00", "Nashville, TN", "CST"],
  ["2026-11-20T11:09:00.000Z", "2026-11-20 06:09:00", "Knoxville, TN", "EST"],
  ["2026-11-20T11:09:00.000Z", "2026-11-20 01:09:00", "Honolulu, HI", "HST"],
  ["2026-11-20T11:09:00.000Z", "2026-11-20 07:39:00", "St. John's, NL", "UTC-3:30"],
  ["2026-11-20T11:09:00.000Z", "2026-11-20 03:09:00", "", "PST"],
  ["2026-07-20T11:09:00.000Z", "2026-07-20 07:09:00", "", "EDT"],
  // In summer it is Arizona's time and California's.
  ["2026-07-20T10:09:00.000Z", "2026-07-20 03:09:00", "", "UTC-7"],
  ["2026-11-20T11:09:00.000Z", "2026-11-20 12:09:00", "", "UTC+1"],
])("SR-12 a scan at %s, %s in %s is named %s", (at, local, place, zone) => {
  expect(nameZone(scan(at, local, place))).toBe(zone);
});

test("SR-12 a time that no zone of its place has, and one abroad, is named by its distance from UTC", () => {
  expect(nameZone(scan("2026-07-20T11:09:00.000Z", "2026-07-20 03:09:00", "Mountain View, CA"))).toBe(
    "UTC-8",
  );
  expect(nameZone(scan("2026-11-20T11:09:00.000Z", "2026-11-20 12:09:00", "Koeln"))).toBe("UTC+1");
  expect(nameZone(scan("2026-11-20T11:09:00.000Z", "2026-11-20 16:39:00", "Pune"))).toBe("UTC+5:30");
  expect(nameZone(scan("2026-11-20T11:09:00.000Z", "2026-11-20 11:09:00", "London"))).toBe("UTC");
});

test("SR-12 a time that UPS gives only as local is called that; a day has no zone", () => {
  expect(nameZone(scan(null, "2026-11-20 03:09:00", "Mountain View, CA"))).toBe("local time");
  expect(nameZone(scan("2026-11-20T11:09:00.000Z", "2026-11-20", "Mountain View, CA"))).toBe("");
});
