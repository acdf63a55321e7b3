import { expect, test } from "vitest";
import { findTab, paramsFor } from "#web/labels/tabs.ts";

test.each([
  ["", "gs1"],
  ["?ups", "carrier"],
  ["?ups=", "carrier"],
  ["?ups=1", "carrier"],
  ["?history=1", "history"],
  ["?x=1", "gs1"],
])("LB-06 LB-07 the query %s opens the tab %s", (query, tab) => {
  expect(findTab(new URLSearchParams(query))).toBe(tab);
});

test.each(["ups=1&x=2", "history=1&x=2", "x=2"])(
  "LB-10 each tab has its own address, even when coming from %s, and other parameters stay",
  (from) => {
    const before = new URLSearchParams(from);
    expect((["gs1", "carrier", "history"] as const).map((tab) => paramsFor(tab, before).toString())).toEqual([
      "x=2",
      "x=2&ups=1",
      "x=2&history=1",
    ]);
  },
);
