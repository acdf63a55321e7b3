import { expect, test } from "vitest";
import {
  answerShipment,
  changeCarrierSettings,
  createShipment,
  listOpenOrders,
  listShipments,
  voidShipment,
  type LabelHistory,
  type OpenOrders,
} from "#features/shipping/contract.ts";
import { addOrders } from "#features/orders/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { BAY } from "../../../test/support/intuit.ts";
import { grantTracking } from "../../../test/support/members.ts";
import { backUpApp } from "../../../test/support/older-backup.ts";
import {
  CARRIER_SETTINGS,
  CARTON,
  linkUps,
  openShippingDesk,
  UPS_ACCOUNT,
  type ShippingDesk,
} from "../../../test/support/shipping.ts";

/** Another company with the same UPS account and an order of the same PO number. */
async function openNeighbor({ app }: ShippingDesk) {
  const browser = await app.owner(BAY, "platform@dockside.example");
  const query = { realm_id: BAY };
  await grantTracking(app.db, BAY);
  await linkUps(app, browser, { realmId: BAY, account: UPS_ACCOUNT });
  await browser.call(changeCarrierSettings, { query, json: CARRIER_SETTINGS });
  const bytes = Buffer.from(sampleFile({ sets: [sampleOrder(1)] }));
  await browser.call(addOrders, { query, file: { name: "orders.edi", bytes } });
  return {
    browser,
    ship: () => browser.call(createShipment, { query, json: { po_number: "80001", cartons: [CARTON] } }),
    labels: async () => ((await browser.call(listShipments, { query })).json() as LabelHistory).labels,
    open: async () => ((await browser.call(listOpenOrders, { query })).json() as OpenOrders).open,
  };
}

test("UO-03 two companies with one UPS account and the same PO number get a label each", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  const neighbor = await openNeighbor(desk);
  expect([(await neighbor.ship()).status, await desk.shipCalls()]).toEqual([200, 2]);
  const [theirs] = await neighbor.labels();
  const [ours] = (await desk.history()).labels;
  expect(theirs?.state).toBe("live");
  expect(theirs?.shipment).not.toBe(ours?.shipment);
  expect(await neighbor.open()).toEqual([]);
});

test.each([
  ["in tracking and on the label", "never_scanned"],
  ["on the label only", "unknown"],
])(
  "UO-03 a company is not asked about the purchase of another whose answer was lost: UPS names its reference %s",
  async (_name, scenario) => {
    const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "600000,900000" } });
    await desk.app.ups.control("settings", { scenario }, "PATCH");
    await desk.addSamples(1);
    const neighbor = await openNeighbor(desk);
    await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 1 });
    expect((await desk.ship("80001")).status).toBe(202);
    const [lost] = await desk.liveAtUps();
    expect((await neighbor.ship()).status).toBe(200);
    await desk.app.settle(1_800_000);
    const [ours] = (await desk.history()).labels;
    expect(ours).toMatchObject({ shipment: lost, state: "live" });
    expect((await neighbor.labels()).map(({ state }) => state)).toEqual(["live"]);
    expect(await desk.shipCalls()).toBe(2);
  },
);

test.each(["never_scanned", "unknown"])(
  "UO-03 the number of a purchase of another company whose answer was lost is refused, and nothing of it is named (%s)",
  async (scenario) => {
    const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "600000,900000" } });
    await desk.app.ups.control("settings", { scenario }, "PATCH");
    await desk.addSamples(1);
    const neighbor = await openNeighbor(desk);
    await desk.app.ups.control("faults", { fault: "drop", operation: "ship", times: 1 });
    expect((await neighbor.ship()).status).toBe(202);
    await desk.app.settle(1_200_000);
    await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 1 });
    expect((await desk.ship("80001")).status).toBe(202);
    const [lost = ""] = await desk.liveAtUps();
    const [asked] = await neighbor.open();
    const json = { id: asked?.labels?.id, answer: "tracking_number", tracking_number: lost };
    const reply = await neighbor.browser.call(answerShipment, { query: { realm_id: BAY }, json });
    expect(reply.json()).toMatchObject({
      status: 409,
      code: "labels_known",
      detail: `The labels of ${lost} already belong to another order here.`,
    });
    await desk.app.settle(1_200_000);
    expect((await desk.history()).labels).toMatchObject([{ shipment: lost, state: "live" }]);
    expect(await neighbor.labels()).toEqual([]);
  },
);

test("UO-03 UO-10 a company is not asked about a purchase of another that an older backup has forgotten", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1);
  const neighbor = await openNeighbor(desk);
  const putBack = await backUpApp(desk.app);
  expect((await desk.ship("80001")).status).toBe(200);
  const bought = await desk.liveAtUps();
  await putBack();
  await neighbor.browser.signIn("platform@dockside.example");
  expect((await neighbor.ship()).status).toBe(200);
  await desk.browser.signIn("owner@acme.example");
  expect((await desk.ship("80001")).status).toBe(200);
  expect((await desk.history()).labels.map(({ shipment }) => shipment)).toEqual(bought);
  expect(await desk.shipCalls()).toBe(2);
});

test.each([
  ["that UPS finds", 0, 200],
  ["that only tracking shows", 100_000_000, 202],
])(
  "UO-03 UO-10 labels of a second purchase whose answer was lost, and that an older backup has forgotten with the first, are the order's: labels %s",
  async (_name, recoveryDelayMs, status) => {
    const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "600000,900000" } });
    await desk.app.ups.control("settings", { scenario: "never_scanned", recoveryDelayMs }, "PATCH");
    await desk.addSamples(1);
    const putBack = await backUpApp(desk.app);
    expect((await desk.ship("80001")).status).toBe(200);
    const shipment = (await desk.history()).labels[0]?.shipment ?? "";
    const query = { po_number: "80001", shipment };
    expect((await desk.browser.call(voidShipment, { query })).status).toBe(200);
    await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 1 });
    expect((await desk.ship("80001")).status).toBe(202);
    const [lost = ""] = await desk.liveAtUps();
    await putBack();
    await desk.browser.signIn("owner@acme.example");
    expect((await desk.ship("80001")).status).toBe(status);
    const asked = (await desk.open()).map(({ labels }) => labels?.error);
    const made = (await desk.history()).labels.map((each) => each.shipment);
    expect([...asked, ...made]).toEqual([expect.stringContaining(lost)]);
    expect(await desk.shipCalls()).toBe(2);
  },
);
