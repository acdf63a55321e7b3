import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  changeCarrierSettings,
  createShipment,
  listShipments,
  voidShipment,
  type LabelHistory,
} from "#features/shipping/contract.ts";
import { changeSettings } from "#features/companies/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { CARRIER_SETTINGS, CARTON } from "../../../test/support/shipping.ts";
import { openThreadDesk, prepareShipped, say810s, shipPieces } from "../../../test/support/thread.ts";
import { openTrackingDesk, until, type ShippedInvoice } from "../../../test/support/tracking.ts";

const QUERY = { realm_id: ACME };

type WithLines = ShippedInvoice & {
  TotalAmt: number;
  Line: { Amount: number; SalesItemLineDetail?: { ItemRef: { value: string } } }[];
};
const shippingOn = (invoice: ShippedInvoice) =>
  (invoice as WithLines).Line.filter(
    (line) => line.SalesItemLineDetail?.ItemRef.value === "SHIPPING_ITEM_ID",
  ).reduce((sum, { Amount }) => sum + Amount, 0);
const readTotal = (invoice: ShippedInvoice) => (invoice as WithLines).TotalAmt;

/** A desk of a company that pays UPS itself, with some open orders: the PO of 1 is "80001". */
async function openFreightDesk(...orders: number[]) {
  const desk = await openTrackingDesk();
  const { browser } = desk;
  await desk.turnOn();
  await browser.call(changeCarrierSettings, {
    query: QUERY,
    json: { ...CARRIER_SETTINGS, billing: "shipper" },
  });
  const bytes = Buffer.from(sampleFile({ sets: orders.map((number) => sampleOrder(number)) }));
  await browser.call(addOrders, { query: QUERY, file: { name: "orders.edi", bytes } });
  const purchases = async (poNumber: string) => {
    const { labels } = (await browser.call(listShipments, { query: QUERY })).json() as LabelHistory;
    return labels.filter((label) => label.po_number === poNumber);
  };
  return {
    ...desk,
    ship: async (po_number: string) => {
      const made = await browser.call(createShipment, {
        query: QUERY,
        json: { po_number, cartons: [CARTON] },
      });
      expect(made.status, made.text).toBe(200);
      const [newest] = await purchases(po_number);
      return { number: newest?.tracking_numbers[0] ?? "", cost: Number(newest?.cost.slice(1)) };
    },
    voidLabel: async (po_number: string, shipment: string) => {
      const query = { ...QUERY, po_number, shipment };
      expect((await browser.call(voidShipment, { query })).status).toBe(200);
    },
  };
}

test("TK-04 TK-05 TK-17 only if the company asks for it, the price of a label becomes the shipping amount, once, and a void withdraws it", async () => {
  const desk = await openFreightDesk(1, 2, 3);
  const before = await desk.invoice({ DocNumber: "80001" });
  const early = await desk.ship("80001");
  await until(
    desk.app.clock,
    () => desk.readInvoice(before.Id),
    ({ TrackingNum }) => TrackingNum === early.number,
  );
  expect(readTotal(await desk.readInvoice(before.Id))).toBe(readTotal(before));
  await desk.set({ freight_on_invoices: "true" });
  const made = await desk.invoice({ DocNumber: "80002" });
  const { number, cost } = await desk.ship("80002");
  expect(cost).toBeGreaterThan(0);
  const written = await until(
    desk.app.clock,
    () => desk.readInvoice(made.Id),
    (invoice) => shippingOn(invoice) > 0,
  );
  expect(shippingOn(written)).toBe(cost);
  expect(readTotal(written)).toBeCloseTo(readTotal(made) + cost, 2);
  const shown = await until(
    desk.app.clock,
    () => desk.details(made.Id),
    ({ written: { freight } }) => freight !== null,
  );
  expect(shown.written).toMatchObject({ freight: `$${cost.toFixed(2)}`, freight_problem: "", problem: "" });
  // A label made before is not charged.
  expect(shippingOn(await desk.readInvoice(before.Id))).toBe(0);
  await desk.voidLabel("80002", number);
  const withdrawn = await until(
    desk.app.clock,
    () => desk.readInvoice(made.Id),
    (invoice) => shippingOn(invoice) === 0,
  );
  expect(readTotal(withdrawn)).toBe(readTotal(made));
  // The next label of the order is.
  const again = await desk.ship("80002");
  await until(
    desk.app.clock,
    () => desk.readInvoice(made.Id),
    (invoice) => shippingOn(invoice) === again.cost,
  );
  await desk.edit(made.Id, { Line: (made as WithLines).Line });
  await desk.voidLabel("80002", again.number);
  await until(
    desk.app.clock,
    () => desk.details(made.Id),
    ({ details }) => details.every(({ state }) => state === "voided"),
  );
  expect(readTotal(await desk.readInvoice(made.Id))).toBe(readTotal(made));
}, 240_000);

test("TK-04 an invoice with a payment keeps its shipping amount, and its page says why", async () => {
  const desk = await openFreightDesk(1);
  await desk.set({ freight_on_invoices: "true" });
  const { Id: id } = await desk.invoice({ DocNumber: "80001" });
  await desk.app.intuit.control(`books/${ACME}/invoice/${id}/pay`, {});
  const paid = await desk.readInvoice(id);
  await desk.ship("80001");
  const { written } = await until(
    desk.app.clock,
    () => desk.details(id).catch(() => null),
    (found) => found !== null && found.written.freight_problem !== "",
  ).then((found) => found ?? { written: null });
  expect(written).toMatchObject({
    freight: null,
    freight_problem: "The invoice has a payment, so we didn't change its shipping amount.",
  });
  expect(shippingOn(await desk.readInvoice(id))).toBe(0);
  expect(readTotal(await desk.readInvoice(id))).toBe(readTotal(paid));
}, 180_000);

test("TK-01 a number that a user adds while our shipping amount is refused, or right after that, is followed", async () => {
  const desk = await openFreightDesk(1);
  const { app } = desk;
  await desk.set({ freight_on_invoices: "true" });
  // Nothing is missing but the amount: no other write of ours reads the invoice.
  const typed = { ShipDate: "2026-01-02", ShipMethodRef: { value: "Truck", name: "Truck" } };
  const { Id: id } = await desk.invoice({ DocNumber: "80001", TrackingNum: "by truck", ...typed });
  const [second = "", third = ""] = await desk.packages({ packages: 2, ageHours: 1 });
  await app.intuit.control("faults", { fault: "503", match: { operation: "invoice.read" } });
  await desk.ship("80001");
  await until(
    app.clock,
    () => desk.booksCalls("invoice.read"),
    (calls) => calls.length > 0,
  );
  // Only a report can cause the next read, for which one is left.
  const readOnce = () => sql`update tracking_company set repeat_at = null, reads_left = 6`.execute(app.db);
  await readOnce();
  const { Line } = (await desk.readInvoice(id)) as WithLines;
  const detail = { ItemRef: { value: "SHIPPING_ITEM_ID" } };
  const shipping = { Amount: 7, DetailType: "SalesItemLineDetail", SalesItemLineDetail: detail };
  await desk.edit(id, { TrackingNum: second, Line: [...Line, shipping] });
  await app.settle(10_000);
  await app.intuit.control("faults", undefined, "DELETE");
  await until(
    app.clock,
    () => sql`select from tracking_write where state = 'refused'`.execute(app.db),
    ({ rows }) => rows.length > 0,
  );
  const listNumbers = async () => (await desk.details(id)).details.map(({ number }) => number);
  await until(app.clock, listNumbers, (numbers) => numbers.length === 2, 45_000);
  await readOnce();
  await sql`update tracking_write set settled_at = ${app.clock.now()} where state = 'refused'`.execute(
    app.db,
  );
  await desk.edit(id, { TrackingNum: `${second}, ${third}` });
  await until(app.clock, listNumbers, (numbers) => numbers.length === 3, 45_000);
}, 180_000);

test("TD-08 the price of its labels is not added to an invoice that bills an order: the order names its freight, and the 810 leaves with it", async () => {
  const desk = await openThreadDesk();
  const { app, browser } = desk;
  const settings = { ...CARRIER_SETTINGS, vendor_number: "47110", billing: "shipper" };
  expect((await browser.call(changeCarrierSettings, { json: settings })).status).toBe(200);
  const json = { freight_on_invoices: "true" };
  expect((await browser.call(changeSettings, { query: QUERY, json })).status).toBe(200);
  await desk.addSamples(1);
  for (const [line, quantity] of [
    ["1", "2"],
    ["2", "4"],
    ["2", "6"],
  ] as const)
    await shipPieces(desk, [line, quantity]);
  const orderId = await prepareShipped(desk);
  await desk.accept();
  const drafts = (await desk.view(orderId)).invoices.map(({ total }) => Number(total));
  await desk.post(orderId);
  await app.settle(120_000);
  await desk.leave();
  const read = async () =>
    (await app.intuit.invoices(ACME))
      .filter(({ DocNumber: number }) => number?.startsWith("80001"))
      .map(({ TotalAmt: total }) => Number(total));
  expect(await read()).toEqual(drafts);
  expect(await say810s(desk)).toEqual([1, 2, 3].map(() => ["sent", []]));
}, 180_000);
