import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decideEntitlement,
  isUnknownStatus,
  currentSubscription,
  shownStatus,
  type SubscriptionFacts,
} from "#features/billing/rules.ts";

const NOW = new Date("2026-06-15T12:00:00Z");
const inDays = (days: number) => new Date(NOW.getTime() + days * 24 * 3_600_000);

const state = (status: string, more: Partial<SubscriptionFacts> = {}): SubscriptionFacts => ({
  id: "sub_1",
  status,
  period_end: inDays(10),
  ends_at: null,
  trial_end: null,
  ended_at: null,
  unpaid_since: null,
  ...more,
});

const decide = (...subscriptions: SubscriptionFacts[]) =>
  decideEntitlement(subscriptions, { now: NOW, graceDays: 14 });

const ON = (until: Date | null) => ({ state: "active", until });
const OFF = { state: "ended", until: null };

test.each<[string, SubscriptionFacts, object]>([
  ["active renews without an end", state("active"), ON(null)],
  ["active whose period has passed unseen stays on", state("active", { period_end: inDays(-3) }), ON(null)],
  ["canceling is on until its end", state("active", { ends_at: inDays(4) }), ON(inDays(4))],
  ["canceling is off after its end", state("active", { ends_at: inDays(-1) }), OFF],
  ["trialing is on for its days and one more", state("trialing", { trial_end: inDays(3) }), ON(inDays(4))],
  ["a trial that ended unseen is off a day later", state("trialing", { trial_end: inDays(-2) }), OFF],
  ["a trial that was canceled ends as planned", state("trialing", { ends_at: inDays(2) }), ON(inDays(2))],
  ["past_due is on for 14 days", state("past_due", { unpaid_since: inDays(-1) }), ON(inDays(13))],
  [
    "past_due is on in the last hour of grace",
    state("past_due", { unpaid_since: inDays(-13.98) }),
    ON(inDays(0.02)),
  ],
  ["past_due is off after 14 days", state("past_due", { unpaid_since: inDays(-14) }), OFF],
  [
    "past_due that is to end is not on longer than that",
    state("past_due", { unpaid_since: inDays(-1), ends_at: inDays(2) }),
    ON(inDays(2)),
  ],
  ["unpaid is off", state("unpaid", { unpaid_since: inDays(-1) }), OFF],
  ["paused is off", state("paused"), OFF],
  ["incomplete is off", state("incomplete"), OFF],
  ["incomplete_expired is off", state("incomplete_expired"), OFF],
  ["canceled is off", state("canceled", { ended_at: inDays(-1) }), OFF],
  ["an unknown status is off", state("levitating"), OFF],
])("%s", (_name, subscription, expected) => {
  expect(decide(subscription)).toMatchObject(expected);
});

test("SV-04 an unknown status is reported, and a known one is not", () => {
  const known = "active trialing past_due unpaid paused incomplete incomplete_expired canceled".split(" ");
  expect(known.filter(isUnknownStatus)).toEqual([]);
  expect(isUnknownStatus("levitating")).toBe(true);
});

test("one subscription that keeps a service on is enough, whatever the others are, in any order", () => {
  const others = ["unpaid", "paused", "incomplete", "incomplete_expired", "canceled", "levitating"];
  fc.assert(
    fc.property(fc.subarray(others), fc.nat(6), (statuses, at) => {
      const list = statuses.map((status) => state(status));
      expect(decide(...list)).toMatchObject(OFF);
      expect(decide(...list.toSpliced(at, 0, state("active")))).toMatchObject(ON(null));
    }),
  );
  expect(decide()).toMatchObject(OFF);
  expect(
    decide(state("active", { ends_at: inDays(2) }), state("trialing", { trial_end: inDays(5) })),
  ).toMatchObject(ON(inDays(6)));
});

test("the subscription that counts is the live one, else the newest", () => {
  const made = (status: string, days: number) => ({ status, created_at: inDays(days) });
  const alive = made("active", -100);
  expect(currentSubscription([made("canceled", -1), alive, made("incomplete", 0)])).toBe(alive);
  const newest = made("canceled", -1);
  expect(currentSubscription([made("incomplete_expired", -5), newest])).toBe(newest);
  // A later one that was never paid hides nothing.
  expect(currentSubscription([newest, made("incomplete_expired", 0)])).toBe(newest);
  expect(currentSubscription([])).toBeUndefined();
});

test("SV-04 only a subscription that is paid and is to end is shown as canceling", () => {
  const ending = { ends_at: inDays(2) };
  const shown = ["active", "trialing", "past_due", "canceled"].map((status) =>
    shownStatus(state(status, ending)),
  );
  expect(shown).toEqual(["canceling", "canceling", "past_due", "canceled"]);
  expect(shownStatus(state("active"))).toBe("active");
});

test("deciding takes at most 0.2 ms of processor time", () => {
  const list = Array.from({ length: 20 }, () => state("past_due", { unpaid_since: inDays(-1) }));
  const before = process.cpuUsage();
  for (let count = 0; count < 1000; count += 1) decide(...list);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(0.2);
});
