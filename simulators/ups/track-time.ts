import type { Party } from "./records.ts";

/** Hours behind UTC in winter, by state; the rest are five. */
const HOURS: Readonly<Record<string, number>> = Object.fromEntries([
  ..."AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI".split(" ").map((state) => [state, 6]),
  ..."AZ CO ID MT NM UT WY".split(" ").map((state) => [state, 7]),
  ..."CA NV OR WA".split(" ").map((state) => [state, 8]),
  ["AK", 9],
  ["HI", 10],
]);

const HOUR_MS = 3_600_000;

export type LocalTime = { date: string; time: string; gmtDate: string; gmtTime: string; gmtOffset: string };

/** A time at a place, as UPS writes it: YYYYMMDD and HHMMSS, local and UTC. No daylight saving. */
export function localTime(at: number, state: string): LocalTime {
  const hours = HOURS[state] ?? 5;
  const local = digits(at - hours * HOUR_MS);
  const utc = digits(at);
  return {
    date: local.date,
    time: local.time,
    gmtDate: utc.date,
    gmtTime: `${utc.time.slice(0, 2)}:${utc.time.slice(2, 4)}:${utc.time.slice(4)}`,
    gmtOffset: `-${String(hours).padStart(2, "0")}:00`,
  };
}

function digits(at: number): { date: string; time: string } {
  const iso = new Date(at).toISOString();
  return { date: iso.slice(0, 10).replaceAll("-", ""), time: iso.slice(11, 19).replaceAll(":", "") };
}

/** A place of an event. */
export type Place = Pick<Party, "city" | "state" | "postal" | "country">;

/** The sorting center that every package passes. */
export const HUB: Place = { city: "Louisville", state: "KY", postal: "40213", country: "US" };
