import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import {
  changeCarrierSettings,
  createShipment,
  listOpenOrders,
  listShipments,
  voidShipment,
  type LabelHistory,
  type OpenOrders,
} from "#features/shipping/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { directRetailer } from "#features/orders/partners/fixtures/direct-retailer.ts";
import { invoicedPerOrder } from "#features/orders/partners/fixtures/per-order-retailer.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { CARRIER_SETTINGS, CARTON } from "../../../test/support/shipping.ts";
import {
  billHalves,
  confirmPrices,
  openThreadDesk,
  prepareShipped,
  shipPieces,
} from "../../../test/support/thread.ts";
import {
  hearOfChanges,
  openTrackingDesk,
  prepareInvoices,
  until,
  type ShippedInvoice,
} from "../../../test/support/tracking.ts";
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

test("TK-16 labels of a PO number that orders of several stores have are linked to no invoice by that number, whichever was made first", async () => {
  const byStore = { ...directRetailer, ordersBy: "store" as const };
  const desk = await openTrackingDesk({ partners: [retailer, byStore] });
  const { browser } = desk;
  await desk.turnOn();
  await browser.call(changeCarrierSettings, { query: QUERY, json: CARRIER_SETTINGS });
  const sample = await readFile(
    new URL("../../../test/corpus/thread/b1-850-order.edi", import.meta.url),
    "utf8",
  );
  const files = ["0121", "0200", "0305"].map((store) =>
    sample
      .replace("7 Sample Road", "12 Main Street")
      .replace("Macon*GA*31201", "Reno*NV*89506")
      .replace("N1*ST*Casey Example", `N1*ST*Store ${store}*92*${store}`),
  );
  for (const text of [...files, sampleFile({ sets: [sampleOrder(2)] })]) {
    const file = { name: "orders.edi", bytes: Buffer.from(text) };
    expect((await browser.call(addOrders, { query: QUERY, file })).status).toBe(200);
  }
  const { open: orders } = (await browser.call(listOpenOrders, { query: QUERY })).json() as OpenOrders;
  const ship = async (id: string) => {
    const order = orders.find((each) => each.id === id);
    const json = { po_number: order?.po_number ?? "", order_id: id, cartons: [CARTON] };
    const made = await browser.call(createShipment, { query: QUERY, json });
    expect(made.status, made.text).toBe(200);
  };
  const ofStores = orders.filter((order) => order.po_number === "4500077").map(({ id }) => id);
  expect(ofStores).toHaveLength(3);
  await ship(ofStores[0] ?? "");
  const shared = await desk.invoice({ DocNumber: "4500077" });
  await desk.app.settle(600_000);
  for (const id of ofStores.slice(1)) await ship(id);
  const sure = await desk.invoice({ DocNumber: "80002" });
  await ship(orders.find((order) => order.po_number === "80002")?.id ?? "");
  await desk.app.settle(600_000);
  expect((await desk.readInvoice(sure.Id)).TrackingNum).toBeDefined();
  expect((await desk.readInvoice(shared.Id)).TrackingNum).toBeUndefined();
});

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

test("TK-16 TD-18 a carton that is shipped again is followed on the one invoice of its order, which bills whatever ships", async () => {
  const desk = await openThreadDesk({ partners: [invoicedPerOrder] });
  await hearOfChanges(desk.app);
  const { orderId, kept, voidCarton } = await billHalves(desk);
  await voidCarton();
  await shipPieces(desk, ["1", "1"], ["2", "5"]);
  await desk.app.settle(600_000);
  const [invoice] = (await desk.view(orderId)).invoices;
  const params = { invoice_id: invoice?.pack_of ?? "" };
  const read = (await desk.browser.call(readTracked, { query: QUERY, params })).json() as TrackedDetailsView;
  const [again] = (await desk.history()).labels;
  const followed = read.details.filter(({ state }) => state !== "voided").map(({ number }) => number);
  expect(followed).toEqual([kept, again?.tracking_numbers[0]]);
});

/** The customer to which `matchAll` matches the retailer. */
async function findCustomer({ app }: Awaited<ReturnType<typeof openThreadDesk>>): Promise<{ value: string }> {
  const path = `books/${ACME}/Customer`;
  const customers = await app.intuit.control<{ Id: string; DisplayName: string }[]>(path);
  return { value: customers.find(({ DisplayName: name }) => name.includes("Cool Cars"))?.Id ?? "" };
}

test("TK-16 TD-10 TD-18 an invoice that was typed for an order keeps only the packages of the part that it is linked to, the others follow their own invoice", async () => {
  const desk = await openThreadDesk();
  await hearOfChanges(desk.app);
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "1"], ["2", "4"]);
  await shipPieces(desk, ["1", "1"], ["2", "3"]);
  await shipPieces(desk, ["2", "3"]);
  const orderId = await prepareShipped(desk);
  const invoice = await prepareInvoices(desk.app.intuit, ACME);
  const read = (id: string) => desk.app.intuit.control<ShippedInvoice>(`books/${ACME}/invoice/${id}`);
  const settle = () => desk.app.settle(600_000);
  const { Id: typed } = await invoice({ DocNumber: "80001", CustomerRef: await findCustomer(desk) });
  await settle();
  const listPackages = async (invoice_id: string) => {
    const reply = await desk.browser.call(readTracked, { query: QUERY, params: { invoice_id } });
    return (reply.json() as TrackedDetailsView).details.map(({ number }) => number);
  };
  const numbers = (await desk.view(orderId)).invoices.flatMap(({ tracking_numbers: billed }) => billed);
  const [first, second, third] = numbers;
  expect([numbers.length, await listPackages(typed)]).toEqual([3, numbers]);
  expect((await read(typed)).TrackingNum).toBe(first);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 0 });
  // It bills the second part.
  const [, bill] = (await desk.view(orderId)).invoices;
  const linked = await desk.say(bill, "link");
  expect(linked.status, linked.text).toBe(200);
  expect(await listPackages(typed)).toEqual([second]);
  await settle();
  expect([await listPackages(typed), (await read(typed)).TrackingNum]).toEqual([[second], second]);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 2, left_out: [] });
  await settle();
  const packs = (await desk.view(orderId)).invoices.map(({ pack_of: pack }) => pack ?? "");
  expect(await Promise.all(packs.map(listPackages))).toEqual([[first], [second], [third]]);
});

test("TK-16 TD-10 TD-18 an invoice that a user calls a different one loses the packages that another one bills, and what was written for them", async () => {
  const desk = await openThreadDesk();
  await hearOfChanges(desk.app);
  await desk.addSamples(1);
  await shipPieces(desk, ["1", "2"], ["2", "10"]);
  const orderId = await prepareShipped(desk);
  const invoice = await prepareInvoices(desk.app.intuit, ACME);
  const read = (id: string) => desk.app.intuit.control<ShippedInvoice>(`books/${ACME}/invoice/${id}`);
  const { Id: typed } = await invoice({ DocNumber: "80001", CustomerRef: await findCustomer(desk) });
  await desk.app.settle(600_000);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 0 });
  const [draft] = (await desk.view(orderId)).invoices;
  expect((await read(typed)).TrackingNum).toBe(draft?.tracking_numbers[0]);
  expect((await desk.say(draft, "other")).status).toBe(200);
  expect((await desk.post(orderId)).json()).toMatchObject({ posting: 1 });
  await desk.app.settle(600_000);
  const [posted] = (await desk.view(orderId)).invoices;
  const listPackages = async (invoice_id: string) => {
    const reply = await desk.browser.call(readTracked, { query: QUERY, params: { invoice_id } });
    return reply.status === 200
      ? (reply.json() as TrackedDetailsView).details.map(({ number }) => number)
      : [];
  };
  expect(await listPackages(posted?.pack_of ?? "")).toEqual(draft?.tracking_numbers);
  expect([await listPackages(typed), (await read(typed)).TrackingNum ?? ""]).toEqual([[], ""]);
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
