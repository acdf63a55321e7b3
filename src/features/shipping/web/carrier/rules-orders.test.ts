import type { OpenOrder } from "#features/shipping/contract.ts";
import { sampleLabels, sampleOrder, toId } from "#features/shipping/web/carrier/fixtures/orders.ts";
import {
  canGenerate,
  countOrders,
  filterOrders,
  keepShown,
  readState,
  shipByState,
  type ListedOrder,
} from "#features/shipping/web/carrier/rules-orders.ts";
import { expect, test } from "vitest";

const order = (po: string, more: Partial<OpenOrder> = {}) => sampleOrder({ po_number: po, ...more });
const TODAY = "2026-11-26";
const blank = { blob: new Blob(), filename: null };

const open = (more: Partial<OpenOrder> = {}): ListedOrder => ({ order: order("1", more), status: "open" });

test.each<[string, Parameters<typeof readState>, string]>([
  ["without labels", [open(), {}], "ready"],
  ["being sent", [open(), { isPending: true }], "making"],
  ["refused before the server began", [open(), { failure: "No." }], "failed"],
  ["failed at UPS", [open({ labels: sampleLabels({ state: "failed" }) }), {}], "failed"],
  [
    "started over",
    [open({ labels: sampleLabels({ id: "a", state: "failed" }) }), { startedOver: "a" }],
    "ready",
  ],
  [
    "failed again",
    [open({ labels: sampleLabels({ id: "b", state: "failed" }) }), { startedOver: "a" }],
    "failed",
  ],
  ["in doubt", [open({ labels: sampleLabels({ state: "checking" }) }), { failure: "Late." }], "checking"],
  ["made here", [open(), { made: { id: null, document: blank, cartons: 1 } }], "made"],
])("CR-14 CR-15 CR-16 an order %s has the state of its labels", (_, input, state) => {
  expect(readState(...input)).toBe(state);
});

test("labels can be made of an order that is open, and neither waits for a choice nor is canceled by its retailer", () => {
  expect(canGenerate(open(), {})).toBe(true);
  expect(canGenerate(open({ cancellation_asked_at: "2026-11-25T10:00:00Z" }), {})).toBe(false);
  expect(canGenerate(open({ waiting: { received_at: "2026-11-25T10:00:00Z", differences: [] } }), {})).toBe(
    false,
  );
  expect(canGenerate({ ...open(), status: "cancelled" }, {})).toBe(false);
  expect(canGenerate(open(), { isPending: true })).toBe(false);
});

test.each([
  [null, null],
  ["2026-11-27", "later"],
  ["2026-11-26", "today"],
  ["2026-11-25", "late"],
])("an order to ship by %s is %s on November 26", (day, state) => {
  expect(shipByState(day, TODAY)).toBe(state);
});

const three = [
  order("PO-1", { customer_name: "Dana Whitfield", place: "Portland, OR 97209", ship_by: TODAY }),
  order("PO-2", { customer_name: "Luis Ortega", place: "Tucson, AZ 85719", ship_by: "2026-12-01" }),
  order("PO-3", {
    customer_name: "Noor Haddad",
    labels: sampleLabels({ state: "failed" }),
    ship_by: "2026-11-20",
  }),
].map((each) => ({ order: each, status: "open" as const }));
const local = () => ({});

test("the search finds PO, customer and city, and the filters find what ships today and what needs attention", () => {
  const find = (show: "open" | "today" | "attention", search: string) =>
    filterOrders(three, { show, search, today: TODAY, local }).map((each) => each.order.po_number);
  expect(find("open", "")).toEqual(["PO-1", "PO-2", "PO-3"]);
  expect(find("open", " po-2 ")).toEqual(["PO-2"]);
  expect(find("open", "whit")).toEqual(["PO-1"]);
  expect(find("open", "tucson")).toEqual(["PO-2"]);
  expect(find("today", "")).toEqual(["PO-1", "PO-3"]);
  expect(find("attention", "")).toEqual(["PO-3"]);
  expect(countOrders(three, { today: TODAY, local })).toEqual({ open: 3, today: 2, attention: 1 });
});

test("CR-19 CR-33 an order that leaves the list stays in place if its labels were made or its cartons typed; any other is gone", () => {
  const before: ListedOrder[] = ["1", "2", "3", "4", "5"].map((po) => ({ order: order(po), status: "open" }));
  const locals: Record<string, Parameters<typeof readState>[1]> = {
    [toId("2")]: { made: { id: null, document: blank, cartons: 1 } },
    [toId("3")]: { cartons: [] },
    [toId("5")]: { isCanceled: true },
  };
  const next = keepShown(before, {
    open: [order("1"), order("6")],
    cancelled: [],
    local: (id) => locals[id] ?? {},
  });
  expect(next.map((each) => [each.order.po_number, each.status])).toEqual([
    ["1", "open"],
    ["2", "made"],
    ["3", "handled_elsewhere"],
    ["5", "cancelled"],
    ["6", "open"],
  ]);
});

test("CR-19 labels made elsewhere before the visit are not listed, unless the retailer has canceled their order", () => {
  const labels = sampleLabels({ state: "made" });
  const open = [
    order("1", { labels }),
    order("2", { labels, cancellation_asked_at: "2026-11-25T10:00:00Z" }),
    order("3"),
  ];
  const shown = keepShown([], { open, cancelled: [], local });
  expect(shown.map((each) => each.order.po_number)).toEqual(["2", "3"]);
  const later = keepShown(shown, {
    open: open.slice(1, 2).concat(order("3", { labels })),
    cancelled: [],
    local,
  });
  expect(later.map((each) => [each.order.po_number, each.status])).toEqual([
    ["2", "made"],
    ["3", "made"],
  ]);
});

test("CR-33 an order canceled elsewhere is only among the canceled ones, even if its cartons were typed", () => {
  const before: ListedOrder[] = [{ order: order("1"), status: "open" }];
  expect(
    keepShown(before, { open: [], cancelled: [{ id: toId("1") }], local: () => ({ cartons: [] }) }),
  ).toEqual([]);
});
