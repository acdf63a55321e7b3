import { expect, test } from "vitest";
import {
  changeCarrierSettings,
  createShipment,
  listShipments,
  voidShipment,
  type LabelHistory,
} from "#features/shipping/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { CARRIER_SETTINGS, CARTON } from "../../../test/support/shipping.ts";
import { confirmPrices, openThreadDesk, prepareShipped, shipPieces } from "../../../test/support/thread.ts";
import { openTrackingDesk, until } from "../../../test/support/tracking.ts";
import { readTracked, type TrackedDetailsView } from "#features/tracking/contract.ts";
import { linkLabels } from "#features/tracking/link-labels.ts";
import { addFollowed, changeFollowed, findFollowed } from "#features/tracking/store.ts";
import { takePosted } from "#features/tracking/take-posted.ts";

const QUERY = { realm_id: ACME };

test("TK-16 TK-17 a label made here is linked to its invoice, even one created later, and voiding it withdraws what it wrote", async () => {
  const desk = await openTrackingDesk();
  const { browser } = desk;
  await desk.turnOn();
  await browser.call(changeCarrierSettings, { query: QUERY, json: CARRIER_SETTINGS });
  const bytes = Buffer.from(sampleFile({ sets: [1, 2].map((number) => sampleOrder(number)) }));
  await browser.call(addOrders, { query: QUERY, file: { name: "orders.edi", bytes } });
  const early = await desk.invoice({ DocNumber: "80001" });
  const ship = async (po_number: string) => {
    const made = await browser.call(createShipment, { query: QUERY, json: { po_number, cartons: [CARTON] } });
    expect(made.status, made.text).toBe(200);
    const { labels } = (await browser.call(listShipments, { query: QUERY })).json() as LabelHistory;
    return labels.find((label) => label.po_number === po_number)?.tracking_numbers[0] ?? "";
  };
  const number = await ship("80001");
  await until(
    desk.app.clock,
    () => desk.readInvoice(early.Id),
    ({ TrackingNum }) => TrackingNum === number,
  );
  const other = await ship("80002");
  const late = await desk.invoice({ DocNumber: "80002" });
  await until(
    desk.app.clock,
    () => desk.readInvoice(late.Id),
    ({ TrackingNum }) => TrackingNum === other,
  );
  // A user changes one of the two: it stays.
  await desk.edit(late.Id, { TrackingNum: `${other} by truck` });
  for (const [po_number, shipment] of [
    ["80001", number],
    ["80002", other],
  ] as const)
    expect((await browser.call(voidShipment, { query: { ...QUERY, po_number, shipment } })).status).toBe(200);
  const withdrawn = await until(
    desk.app.clock,
    () => desk.readInvoice(early.Id),
    ({ TrackingNum }) => !TrackingNum,
  );
  expect(withdrawn.ShipMethodRef?.name ?? "").toBe("");
  await until(
    desk.app.clock,
    () => desk.details(late.Id),
    ({ details }) => details.every(({ state }) => state === "voided"),
  );
  expect((await desk.readInvoice(late.Id)).TrackingNum).toBe(`${other} by truck`);
}, 180_000);

test("TK-16 a label whose PO number matches two invoices is linked to neither: one of them may be another customer's", async () => {
  const desk = await openTrackingDesk();
  const { browser } = desk;
  await desk.turnOn();
  await browser.call(changeCarrierSettings, { query: QUERY, json: CARRIER_SETTINGS });
  const bytes = Buffer.from(sampleFile({ sets: [1, 2].map((number) => sampleOrder(number)) }));
  await browser.call(addOrders, { query: QUERY, file: { name: "orders.edi", bytes } });
  const po = { DefinitionId: "1", Name: "PO", Type: "StringType", StringValue: "80001" };
  const unsure = [await desk.invoice({ DocNumber: "80001" }), await desk.invoice({ CustomField: [po] })];
  const sure = await desk.invoice({ DocNumber: "80002" });
  for (const po_number of ["80001", "80002"])
    expect(
      (await browser.call(createShipment, { query: QUERY, json: { po_number, cartons: [CARTON] } })).status,
    ).toBe(200);
  await until(
    desk.app.clock,
    () => desk.readInvoice(sure.Id),
    ({ TrackingNum }) => TrackingNum !== undefined,
  );
  for (const { Id } of unsure) expect((await desk.readInvoice(Id)).TrackingNum).toBeUndefined();
}, 180_000);

test("TK-16 TD-18 packages of an order's second part are followed on the invoice that bills them, and not on that of the first part", async () => {
  const desk = await openThreadDesk();
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "1"], ["2", "5"]);
  const orderId = await prepareShipped(desk);
  const listPackages = async () =>
    Promise.all(
      (await desk.view(orderId)).invoices.map(async ({ pack_of: id, tracking_numbers: billed }) => {
        if (!id) return { followed: null, billed };
        const read = await desk.browser.call(readTracked, { query: QUERY, params: { invoice_id: id } });
        const { details } = read.json() as TrackedDetailsView;
        return { followed: details.map(({ number }) => number), billed };
      }),
    );
  const post = async () => {
    expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1, left_out: [] });
    await desk.app.settle(120_000);
  };
  await post();
  await shipPieces(desk, ["1", "1"], ["2", "5"]);
  await desk.app.settle(600_000);
  const [first, second] = await listPackages();
  expect([first?.followed, second?.followed]).toEqual([first?.billed, null]);
  await desk.leave();
  await confirmPrices(desk, orderId);
  await post();
  const both = await listPackages();
  expect(both.map(({ followed }) => followed)).toEqual([first?.billed, second?.billed]);
});

test("TK-16 labels made before an upload posted their invoices stay to be linked, though a pass that began earlier ends later", async () => {
  const { app, browser } = await openTrackingDesk();
  const { db, clock } = app;
  const endWork = await app.work();
  await browser.call(changeCarrierSettings, { query: QUERY, json: CARRIER_SETTINGS });
  const bytes = Buffer.from(sampleFile({ sets: [sampleOrder(1)] }));
  await browser.call(addOrders, { query: QUERY, file: { name: "orders.edi", bytes } });
  const json = { po_number: "80001", cartons: [CARTON] };
  expect((await browser.call(createShipment, { query: QUERY, json })).status).toBe(200);
  await endWork();
  await addFollowed(db, ACME, { reads: 1, now: clock.now() });
  await changeFollowed(db, ACME, { labels_at: new Date(clock.now().getTime() - 3_600_000) });
  const pass = async (meanwhile: () => Promise<void>) => {
    const company = (await findFollowed(db, ACME))!;
    await meanwhile();
    const fenced: Parameters<typeof linkLabels>[2]["fenced"] = (write) => db.transaction().execute(write);
    await linkLabels(db, company, { hasNewInvoices: false, now: clock.now(), fenced });
    return (await findFollowed(db, ACME))?.labels_at;
  };
  expect(await pass(() => takePosted({ db, clock }, ACME, []))).toBeNull();
  expect(await pass(async () => {})).not.toBeNull();
});
