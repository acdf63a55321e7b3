import { expect, test } from "vitest";
import { answerShipment, createShipments, printShipments } from "#features/shipping/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import { CARTON, openShippingDesk, pack, type ShippingDesk } from "../../../test/support/shipping.ts";

/** Requests labels of all open orders at once. */
async function shipAll(desk: ShippingDesk): Promise<void> {
  const orders = (await desk.open()).map(({ id: order_id }) => ({
    order_id,
    cartons: [CARTON],
    key: crypto.randomUUID(),
  }));
  expect((await desk.browser.call(createShipments, { json: { orders } })).status).toBe(200);
}

test("OI-16 labels of several orders are made at once, each with its own outcome, and print as one file in the requested order", async () => {
  const desk = await openShippingDesk();
  const far = sampleOrder(2).map((segment) => segment.replace("N4*Reno*NV*89506", "N4*Reno*NV*10001"));
  await desk.add(sampleFile({ sets: [sampleOrder(1), far, sampleOrder(3), sampleOrder(4)] }));
  const open = await desk.open();
  const orders = open
    .map(({ id: order_id }) => ({ order_id, cartons: pack([CARTON, CARTON]), key: crypto.randomUUID() }))
    .toReversed();
  const missing = { order_id: crypto.randomUUID(), cartons: [CARTON], key: crypto.randomUUID() };
  const reply = await desk.browser.call(createShipments, { json: { orders: [...orders, missing] } });
  const started = (reply.json() as { orders: { id: string | null; problem: string }[] }).orders;
  expect(started.map(({ problem }) => problem)).toEqual([
    "",
    "",
    "",
    "",
    "We can't find this order. Reload the page.",
  ]);
  await desk.app.settle();
  expect((await desk.history()).labels).toHaveLength(3);
  const [failed] = await desk.open();
  expect(failed).toMatchObject({ po_number: "80002", labels: { state: "failed", correct: "address" } });
  expect(failed?.labels?.error).toMatch(
    /^UPS doesn't recognize 12 Main Street, Apartment 4, Reno, NV 10001\./,
  );
  const ids = [started[0]?.id, started[3]?.id];
  const file = await desk.browser.call(printShipments, { json: { ids } });
  expect([file.status, file.text.match(/\/Type\s*\/Page\b/g)?.length]).toEqual([200, 4]);
  // UPS doesn't know the address of the one that failed, so it was not asked to ship there.
  expect(await desk.shipCalls()).toBe(3);
});

test.each([
  {
    fault: { fault: "refusal", code: "TV1002", message: "Invalid reference number" },
    state: "failed",
    error: "UPS says: Invalid reference number (TV1002). Nothing was bought.",
  },
  { fault: { fault: "html_page", status: 502 }, state: "making", error: "" },
])(
  "OI-16 a search that UPS refuses or doesn't answer ($fault.fault) for one order of several keeps none of the others from being bought",
  async ({ fault, ...shown }) => {
    const desk = await openShippingDesk();
    await desk.addSamples(1, 2, 3, 4);
    const path = "/api/track/v1/reference/details/80003";
    await desk.app.ups.control("faults", { ...fault, path });
    await shipAll(desk);
    await desk.app.settle();
    expect(await desk.open()).toMatchObject([{ po_number: "80003", labels: shown }]);
    expect(await desk.shipCalls()).toBe(3);
    await desk.app.ups.control("faults", undefined, "DELETE");
    if (shown.state === "failed") await desk.ship("80003");
    else await desk.app.settle(120_000);
    expect((await desk.history()).labels).toHaveLength(4);
    expect(await desk.shipCalls()).toBe(4);
  },
);

test("OI-16 the first order of a large request is bought before the others are searched for", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(...Array.from({ length: 12 }, (_, at) => at + 1));
  await shipAll(desk);
  await desk.app.settle();
  const { entries } = await desk.app.ups.control<{ entries: { path: string }[] }>("journal");
  const searched = entries.map(({ path }) => path.includes("/reference/details/"));
  const bought = entries.findIndex(({ path }) => path.endsWith("/ship"));
  expect(searched.slice(0, bought).filter(Boolean).length).toBeLessThan(5);
  expect(bought).toBeGreaterThan(0);
});

test.each([
  { fault: "html_page", status: 502 },
  { fault: "refusal", code: "TV1002", message: "Invalid reference number" },
])(
  "UO-01 a user is asked about labels in doubt whose searches UPS never answers ($fault), while others are made; nothing is bought twice",
  async (fault) => {
    const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "300,1000,2000,4000" } });
    await desk.addSamples(1, 2);
    const { control } = desk.app.ups;
    // The search before the purchase is answered.
    await control("faults", { ...fault, path: "/api/track/v1/reference/details/80001", skip: 1 });
    await control("faults", { fault: "drop", operation: "ship", times: 1 });
    await shipAll(desk);
    await desk.app.settle(30_000);
    const find = async () => (await desk.open()).find(({ po_number: po }) => po === "80001")?.labels;
    expect((await desk.history()).labels).toMatchObject([{ po_number: "80002" }]);
    if (fault.fault === "html_page") expect(await find()).toMatchObject({ state: "checking" });
    for (let minutes = 0; minutes < 150; minutes += 10) {
      desk.app.clock.advance(600_000);
      await desk.app.settle(0);
    }
    await desk.signIn();
    const asked = await find();
    expect(asked).toMatchObject({ state: "asked" });
    expect(asked?.error).toMatch(/^UPS doesn't say whether it made these labels/);
    expect(await desk.shipCalls()).toBe(2);
    const json = { id: asked?.id, answer: "create_again" };
    expect((await desk.browser.call(answerShipment, { json })).status).toBe(200);
    await control("faults", undefined, "DELETE");
    expect((await desk.ship("80001")).status).toBe(200);
    expect(await desk.liveAtUps()).toHaveLength(2);
  },
);
