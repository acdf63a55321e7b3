import { expect, test } from "vitest";
import { applyChange, checkOrder, isPriceChange, readCountry } from "#features/orders/rules.ts";
import type { ChangedHeading, ChangedLine, Order, OrderCharge, OrderLine } from "#features/orders/types.ts";

const line = (number: string, more: Partial<OrderLine> = {}): OrderLine => ({
  line: number,
  buyerSku: `100${number}`,
  vendorSku: "F-77",
  upc: "",
  description: "Kitchen faucet",
  quantity: "2",
  unit: "EA",
  unitCost: "12.50",
  ...more,
});

const order: Order = {
  poNumber: "80001",
  customerOrder: "",
  orderDate: "2026-11-26",
  shipBy: null,
  cancelAfter: null,
  shipTo: {
    name: "Jane Doe",
    attention: "",
    lines: ["12 Main Street"],
    city: "Reno",
    state: "NV",
    zip: "89506",
    country: "US",
    phone: "",
  },
  serviceCode: "UPSN_CG",
  references: [],
  giftMessage: "",
  vendorMessage: "",
  lines: [line("1"), line("2"), line("3")],
};

const change = (code: string, number: string, more: Partial<OrderLine> = {}): ChangedLine => ({
  ...line(number, { buyerSku: "", vendorSku: "", description: "", unit: "", unitCost: "", ...more }),
  change: code,
});

const NOTHING: ChangedHeading = {
  customerOrder: "",
  shipBy: null,
  cancelAfter: null,
  shipTo: { ...order.shipTo, name: "", lines: [], city: "", state: "", zip: "" },
  serviceCode: "",
  references: [],
  giftMessage: "",
  vendorMessage: "",
  billing: { orderType: "", currency: "", terms: null, charges: [], parties: [], expectedTotal: "" },
};

test("TD-07 an order with other prices, and the total that follows from them, differs in prices alone; one with other pieces or another address doesn't", () => {
  const priced = (unitCost: string, expectedTotal: string, more: Partial<Order> = {}): Order => ({
    ...order,
    lines: [line("1", { unitCost }), line("2"), line("3")],
    billing: { ...NOTHING.billing, expectedTotal },
    ...more,
  });
  const before = priced("12.50", "75.00");
  expect(isPriceChange(before, priced("11.00", "72.00"))).toBe(true);
  expect(isPriceChange(before, priced("12.50", "72.00"))).toBe(true);
  const lines = [line("1", { quantity: "1" }), line("2"), line("3")];
  expect(isPriceChange(before, priced("12.50", "62.50", { lines }))).toBe(false);
  const shipTo = { ...order.shipTo, city: "Elko" };
  expect(isPriceChange(before, priced("11.00", "72.00", { shipTo }))).toBe(false);
});

test("OI-08 a change of the heading replaces the facts that it gives, and the others stay", () => {
  const billing = {
    ...NOTHING.billing,
    parties: [
      { kind: "BT", name: "Payables", idQualifier: "", id: "" },
      { kind: "ST", name: "Jane Doe", idQualifier: "92", id: "0412" },
    ],
  };
  const whole = {
    ...order,
    shipTo: { ...order.shipTo, country: "CA", phone: "5551234" },
    references: [
      { qualifier: "ZZ", value: "a" },
      { qualifier: "CO", value: "W1" },
      { qualifier: "ZZ", value: "b" },
      { qualifier: "DP", value: "25" },
    ],
    billing,
  };
  const edit = (heading: Partial<ChangedHeading>) =>
    applyChange(whole, { heading: { ...NOTHING, ...heading }, lines: [] });
  expect(edit({})).toEqual(whole);
  const references = [
    { qualifier: "ZZ", value: "c" },
    { qualifier: "ST", value: "0412" },
    { qualifier: "CO", value: "W1" },
  ];
  const party = { kind: "BT", name: "", idQualifier: "92", id: "9" };
  expect(
    edit({
      shipBy: "2026-12-24",
      shipTo: { ...NOTHING.shipTo, name: "John Doe" },
      references,
      billing: { ...NOTHING.billing, currency: "USD", parties: [party] },
    }),
  ).toEqual({
    ...whole,
    shipBy: "2026-12-24",
    shipTo: { ...whole.shipTo, name: "John Doe" },
    references: [
      { qualifier: "ZZ", value: "c" },
      { qualifier: "CO", value: "W1" },
      { qualifier: "DP", value: "25" },
      { qualifier: "ST", value: "0412" },
    ],
    billing: { ...billing, currency: "USD", parties: [{ ...party, name: "Payables" }, billing.parties[1]] },
  });
  expect(edit({ shipTo: { ...NOTHING.shipTo, lines: ["1 New Road"], country: "US" } }).shipTo).toEqual({
    ...whole.shipTo,
    lines: ["1 New Road"],
    country: "US",
  });
  // An order of a call has no such facts before.
  expect(applyChange(order, { heading: NOTHING, lines: [] })).toEqual(order);
  expect(applyChange(order, { heading: { ...NOTHING, billing }, lines: [] })).toEqual({ ...order, billing });
});

const charge = (indicator: string, code: string, amountCents: number): OrderCharge => ({
  indicator,
  code,
  amountCents,
  percent: "",
  rate: "",
  description: "",
});

test("OI-08 a change of an allowance or charge replaces those of its code, of the order or a line, and the others stay", () => {
  const [freight, allowance, handling] = [
    charge("C", "D240", 1_250),
    charge("A", "C000", 150),
    charge("C", "D500", 300),
  ];
  const charges = [freight, allowance, handling];
  const whole = {
    ...order,
    lines: [line("1", { charges }), line("2", { charges }), line("3")],
    billing: { ...NOTHING.billing, charges },
  };
  const [given, allowed] = [charge("C", "D240", 900), charge("A", "D240", 100)];
  const changed = applyChange(whole, {
    heading: { ...NOTHING, billing: { ...NOTHING.billing, charges: [given, allowed] } },
    lines: [
      change("PC", "1", { quantity: "", charges: [given] }),
      change("QI", "2", { quantity: "3", charges: [given] }),
      change("PC", "3", { quantity: "", charges: [given] }),
    ],
  });
  const kept = [given, allowance, handling];
  expect(changed.billing?.charges).toEqual([...kept, allowed]);
  expect(changed.lines.map((each) => each.charges)).toEqual([kept, kept, [given]]);
});

test("OI-08 a retailer's change deletes and adds lines, and changes a quantity and nothing else", () => {
  const changed = applyChange(order, {
    heading: NOTHING,
    lines: [
      change("DI", "1"),
      change("QD", "2", { quantity: "1", unitCost: "99.00" }),
      change("AI", "4", { quantity: "5", buyerSku: "1004" }),
    ],
  });
  expect(changed.lines).toEqual([
    line("2", { quantity: "1" }),
    line("3"),
    line("4", { quantity: "5", vendorSku: "", description: "", unit: "", unitCost: "" }),
  ]);
  expect(order.lines).toHaveLength(3);
});

test("OI-08 a changed line keeps the texts that the change leaves out", () => {
  expect(
    applyChange(order, { heading: NOTHING, lines: [change("PC", "3", { unitCost: "11.00", quantity: "" })] })
      .lines[2],
  ).toEqual(line("3", { unitCost: "11.00" }));
});

test("OI-05 a PO number has at most 35 characters, because UPS takes no longer reference", () => {
  expect(checkOrder({ ...order, poNumber: "8".repeat(35) })).toEqual([]);
  expect(checkOrder({ ...order, poNumber: "8".repeat(36) })).toEqual([
    `The PO number "${"8".repeat(36)}" has more than 35 characters, which UPS doesn't accept.`,
  ]);
});

test("OI-05 an order whose lines have one number, or no quantity above 0, is refused", () => {
  expect(checkOrder({ ...order, lines: [line("1"), line("2", { quantity: "0" })] })).toEqual([
    'The quantity of line 2 is "0". A quantity is a number above 0.',
  ]);
  expect(checkOrder({ ...order, lines: [line("1"), line("2"), line("2")] })).toEqual([
    "Line 2 occurs twice.",
  ]);
});

test("OI-05 a country is read by its code of two or three letters, and is the US where an order names none", () => {
  expect(["", "us", " USA ", "CAN", "MEX", "PRI", "GB", "XYZ"].map(readCountry)).toEqual([
    "US",
    "US",
    "US",
    "CA",
    "MX",
    "PR",
    "GB",
    "XYZ",
  ]);
});
