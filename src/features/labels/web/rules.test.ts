import { expect, test } from "vitest";
import { paramsFor, pdfName, findTab } from "#features/labels/web/rules.ts";

test.each([
  ["orders.pdf", "week.xlsx", "orders.pdf"],
  ["orders", "week.xlsx", "orders.pdf"],
  ["Orders.PDF", "week.xlsx", "Orders.PDF"],
  [null, "orders.xlsx", "orders.xlsx.pdf"],
])("GS-11 the header's name %s of the upload %s is saved as %s", (header, upload, saved) => {
  expect(pdfName(header, upload)).toBe(saved);
});

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
