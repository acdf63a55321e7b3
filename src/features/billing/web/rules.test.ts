import { expect, test } from "vitest";
import type { SubscriptionRow } from "#features/billing/contract.ts";
import { chooseActions, dateWord, statusWord } from "#features/billing/web/rules.ts";

const AT = Date.UTC(2026, 11, 21, 12) / 1000;

const row = (status: string, id: string | null = "sub_1"): SubscriptionRow => ({
  subscription_id: id,
  price_id: "price_1",
  product_name: "Tracking Service",
  product_description: "Tracking",
  rate: 2900,
  interval: "month",
  service: "tracking",
  status,
  end_date: AT,
  grace_ends: null,
  is_for_sale: true,
  trial_days: 0,
});

test.each([
  ["active", ["manage"], "Active", "Renews Dec 21, 2026 for $29.00"],
  ["trialing", ["manage"], "Trial", "Trial ends Dec 21, 2026"],
  ["canceling", ["manage"], "Canceling", "Ends Dec 21, 2026"],
  ["past_due", ["add", "fix"], "Past due", null],
  ["unpaid", ["add", "fix"], "Unpaid", null],
  ["paused", ["add"], "Paused", null],
  ["incomplete", ["add"], null, null],
  ["incomplete_expired", ["add"], "Incomplete expired", null],
  ["canceled", ["add"], "Canceled", null],
  ["none", ["add"], null, null],
  ["levitating", ["add"], "Levitating", null],
] as const)(
  "SV-04 SV-05 SV-07 SV-09 SV-11 a row that is %s has the button %s",
  (status, action, word, date) => {
    expect([chooseActions(row(status)), statusWord(status), dateWord(row(status))]).toEqual([
      action,
      word,
      date,
    ]);
  },
);

test.each([null, ""])("SV-06 a subscribed row whose subscription id is %j has no button", (id) => {
  for (const status of ["active", "trialing", "canceling"])
    expect([status, chooseActions(row(status, id))]).toEqual([status, []]);
  expect(dateWord(row("active", null))).toBe("Ends Dec 21, 2026");
  expect(dateWord({ ...row("active"), end_date: null })).toBeNull();
});

test.each([
  ["none", []],
  ["canceled", []],
  ["active", ["manage"]],
  ["past_due", ["add", "fix"]],
])("a service that is coming soon can't be added; a company that has it keeps it: %s", (status, actions) => {
  expect(chooseActions({ ...row(status), is_for_sale: false })).toEqual(actions);
});
