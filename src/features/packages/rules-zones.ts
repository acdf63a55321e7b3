import type { Placed } from "#features/packages/contract.ts";
import { MINUTE_MS } from "#platform/time.ts";

/** Zones by state or province; where there are two, the one of most people is first. */
const ZONES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  (
    [
      ["CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV", ["America/New_York"]],
      ["FL IN KY MI TN", ["America/New_York", "America/Chicago"]],
      ["AL AR IA IL LA MN MO MS OK WI", ["America/Chicago"]],
      ["KS ND NE SD TX", ["America/Chicago", "America/Denver"]],
      ["CO MT NM UT WY", ["America/Denver"]],
      ["AZ", ["America/Phoenix", "America/Denver"]],
      ["ID", ["America/Denver", "America/Los_Angeles"]],
      ["CA NV WA", ["America/Los_Angeles"]],
      ["OR", ["America/Los_Angeles", "America/Denver"]],
      ["AK", ["America/Anchorage", "America/Adak"]],
      ["HI", ["Pacific/Honolulu"]],
      ["PR VI", ["America/Puerto_Rico"]],
      ["NB NS PE", ["America/Halifax"]],
      ["NL", ["America/St_Johns", "America/Halifax"]],
      ["ON QC", ["America/Toronto", "America/Winnipeg"]],
      ["MB", ["America/Winnipeg"]],
      ["SK", ["America/Regina"]],
      ["AB NT", ["America/Edmonton"]],
      ["BC", ["America/Vancouver", "America/Edmonton"]],
      ["YT", ["America/Whitehorse"]],
    ] as const
  ).flatMap(([states, zones]) => states.split(" ").map((state) => [state, zones])),
);

/** Time zones of the fifty states. */
const STATE_ZONES = ["NY", "IL", "CO", "AZ", "CA", "AK", "HI"].flatMap((state) => ZONES[state] ?? []);

/**
 * Names the zone of a scan's local time: "PST" where the place has a zone of that time, else "UTC-8". UPS names both times
 * of a scan, but no zone; where it names the local one only, that is all we know of it: "local time". Empty without a time.
 * A label has no place: its zone is named if only one of the United States has that time.
 */
export function nameZone({ at, local_date: day, local_time: time, place }: Placed): string {
  if (time === "") return "";
  const minutes = at === null ? Number.NaN : (Date.parse(`${day}T${time}Z`) - Date.parse(at)) / MINUTE_MS;
  if (at === null || Number.isNaN(minutes)) return "local time";
  const state = /, ([A-Z]{2})$/.exec(place)?.[1] ?? "";
  const zones = place === "" ? STATE_ZONES : (ZONES[state] ?? []);
  const fitting = zones
    .map((zone) => readZone(zone, new Date(at)))
    .filter(({ offset }) => offset === minutes);
  const names = new Set(fitting.map(({ name }) => name));
  return (place === "" && names.size > 1 ? undefined : fitting[0]?.name) ?? nameOffset(minutes);
}

/** By zone: a format takes longer to make than to use a hundred times. */
const formats = new Map<string, { name: Intl.DateTimeFormat; offset: Intl.DateTimeFormat }>();

function readZone(timeZone: string, at: Date): { name: string; offset: number } {
  const format = formats.get(timeZone) ?? {
    name: new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "short" }),
    offset: new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }),
  };
  formats.set(timeZone, format);
  const read = (of: Intl.DateTimeFormat) =>
    of.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(read(format.offset)) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  const name = read(format.name);
  return {
    // English has no short names for a few zones of Canada.
    name: name.startsWith("GMT") ? name.replace("GMT", "UTC") : name,
    offset: sign === "-" ? -size : size,
  };
}

function nameOffset(minutes: number): string {
  const size = Math.abs(Math.round(minutes));
  const rest = size % 60;
  const hours = `${Math.floor(size / 60)}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
  return size === 0 ? "UTC" : `UTC${minutes < 0 ? "-" : "+"}${hours}`;
}
