import { expect, test } from "vitest";
import { planFreight, type LabelShipment } from "#features/tracking/rules-freight.ts";
import type { Freight } from "#features/tracking/tables.ts";

const INVOICE = { currency: "USD", shipping_cents: 0, is_paid: false };
const shipment = (id: string, more: Partial<LabelShipment> = {}): LabelShipment => ({
  id,
  cents: 1_000,
  currency: "USD",
  isVoided: false,
  isWanted: true,
  ...more,
});
const ours = (cents: number, ...shipments: string[]): Freight => ({
  cents,
  instead_of: 0,
  currency: "USD",
  shipments,
});

test("TK-05 all purchases known at the time are summed once; a later one adds nothing", () => {
  expect(planFreight(INVOICE, null, [shipment("a"), shipment("b", { cents: 850 })])).toEqual({
    freight: { cents: 1_850, instead_of: 0, currency: "USD", shipments: ["a", "b"] },
    problem: null,
  });
  const written = { ...INVOICE, shipping_cents: 1_000 };
  expect(planFreight(written, ours(1_000, "a"), [shipment("a"), shipment("b")]).freight).toBeNull();
});

test("TK-17 a void takes its part off, the last one all, and a purchase after that is written again", () => {
  const written = { ...INVOICE, shipping_cents: 2_000 };
  const both = ours(2_000, "a", "b");
  const voided = shipment("a", { isVoided: true });
  expect(planFreight(written, both, [voided, shipment("b")]).freight).toEqual({
    ...ours(1_000, "b"),
    instead_of: 2_000,
  });
  const all = [voided, shipment("b", { isVoided: true })];
  expect(planFreight(written, both, all).freight).toMatchObject({ cents: 0, instead_of: 2_000 });
  const withdrawn = { ...ours(0), instead_of: 2_000 };
  expect(planFreight(INVOICE, withdrawn, all).freight).toBeNull();
  expect(planFreight(INVOICE, withdrawn, [...all, shipment("c")]).freight).toMatchObject({ cents: 1_000 });
});

test("TK-04 an amount that a user typed, changed or removed stays", () => {
  const voided = [shipment("a", { isVoided: true })];
  const typed = { ...INVOICE, shipping_cents: 700 };
  for (const [invoice, before, shipments] of [
    [typed, null, [shipment("a")]],
    [typed, ours(1_000, "a"), voided],
    [INVOICE, ours(1_000, "a"), [shipment("a")]],
    [INVOICE, ours(1_000, "a"), voided],
  ] as const)
    expect(planFreight(invoice, before, shipments)).toEqual({ freight: null, problem: null });
});

test("the reason against an amount is named: a payment, another currency, a label without a price", () => {
  const plan = (invoice: Partial<typeof INVOICE>, more: Partial<LabelShipment> = {}) =>
    planFreight({ ...INVOICE, ...invoice }, null, [shipment("a", more)]);
  expect(plan({ is_paid: true })).toEqual({ freight: null, problem: "freight_paid" });
  expect(plan({ currency: "CAD" })).toEqual({ freight: null, problem: "freight_currency" });
  expect(plan({}, { cents: null })).toEqual({ freight: null, problem: "freight_unpriced" });
  expect(plan({ is_paid: true }, { isWanted: false })).toEqual({ freight: null, problem: null });
});
