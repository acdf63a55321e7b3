import { expect, test } from "vitest";
import { planPoll, type Followed } from "#features/packages/rules-poll.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const hoursFrom = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const ONE: Followed = {
  state: "in_transit",
  addedAt: hoursFrom(-24),
  newestAt: hoursFrom(-2),
  polls: 1,
  scheduledOn: null,
  offsetMinutes: null,
  isPushed: false,
  isOfLabel: false,
};
const LABEL = { state: "label_created", newestAt: null, isOfLabel: true, isPushed: true } as const;

test.each<[string, Partial<Followed>, string, number | null]>([
  // 9:50 in New York is 14:50 UTC.
  ["a label without a scan", { state: "label_created", newestAt: null }, "label_created", 2 + 50 / 60],
  [
    "a label that was not scanned for a week",
    { state: "label_created", newestAt: null, addedAt: hoursFrom(-169) },
    "label_created",
    26 + 50 / 60,
  ],
  ["a package on its way without a promised date of UPS", {}, "in_transit", 4],
  ["one that UPS says comes in two days", { scheduledOn: "2026-11-22" }, "in_transit", 2 + 50 / 60],
  ["one that should have come", { scheduledOn: "2026-11-19" }, "in_transit", 110 / 60],
  [
    "one in trouble, whatever was promised",
    { state: "exception", scheduledOn: "2026-11-22" },
    "exception",
    4,
  ],
  ["one out for delivery", { state: "out_for_delivery" }, "out_for_delivery", 110 / 60],
  [
    "one out for delivery where the day begins at 16 UTC",
    { state: "out_for_delivery", offsetMinutes: -480 },
    "out_for_delivery",
    5 + 50 / 60,
  ],
  ["one that UPS tried to deliver", { state: "attempted" }, "attempted", 110 / 60],
  ["one that UPS sends events about", { isPushed: true }, "in_transit", 36],
  [
    "a label that UPS would send events about, for a week",
    { state: "label_created", newestAt: null, addedAt: hoursFrom(-169), isPushed: true },
    "label_created",
    72,
  ],
  ["an unknown number, the first time", { state: "not_found", newestAt: null, polls: 1 }, "not_found", 1],
  ["an unknown number, the third time", { state: "not_found", newestAt: null, polls: 3 }, "not_found", 12],
  ["an unknown number, later", { state: "not_found", newestAt: null, polls: 9 }, "not_found", 24],
  ["a label made here, also where UPS sends events", LABEL, "label_created", 1],
  [
    "a label made here that was not scanned for two days",
    { ...LABEL, addedAt: hoursFrom(-49) },
    "label_created",
    4,
  ],
  ["a label made here that was scanned", { ...LABEL, state: "in_transit" }, "in_transit", 36],
  ["a delivered package", { state: "delivered" }, "delivered", null],
  ["a voided label", { state: "voided" }, "voided", null],
  ["30 days without a scan", { addedAt: hoursFrom(-740), newestAt: hoursFrom(-721) }, "ended", null],
  ["120 days", { addedAt: hoursFrom(-24 * 120) }, "ended", null],
])("the next check of %s", (_name, part, state, hours) => {
  expect(planPoll({ ...ONE, ...part }, NOW)).toEqual({
    state,
    pollAt: hours === null ? null : hoursFrom(hours),
  });
});

test.each<[string, Partial<Followed>, string, string]>([
  ["out for delivery in the evening", { state: "out_for_delivery" }, "2026-11-21T01:00:00Z", "02:50"],
  ["out for delivery at night", { state: "out_for_delivery" }, "2026-11-21T03:00:00Z", "14:50"],
  ["tried to deliver, at night", { state: "attempted" }, "2026-11-21T03:00:00Z", "14:50"],
  [
    "promised for today, not out at 13 h in California",
    { scheduledOn: "2026-11-20" },
    "2026-11-20T21:00:00Z",
    "14:50",
  ],
  ["promised in summer", { scheduledOn: "2026-07-03" }, "2026-07-02T20:00:00Z", "13:50"],
])("the next check of a package in New York, %s", (_name, part, now, time) => {
  const at = new Date(now);
  const pkg = { ...ONE, addedAt: at, newestAt: at, offsetMinutes: -300, ...part };
  expect(planPoll(pkg, at).pollAt?.toISOString().slice(11, 16)).toBe(time);
});
