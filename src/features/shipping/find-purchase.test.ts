import { expect, test } from "vitest";
import { answerShipment, voidShipment } from "#features/shipping/contract.ts";
import { setContents } from "#features/shipping/packing/contract.ts";
import { correctAddress } from "#features/orders/contract.ts";
import { downloadNotices, listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { sampleFile, sampleOrder } from "#formats/x12/fixtures/sample-orders.ts";
import {
  CARTON,
  linkUps,
  openShippingDesk,
  SHIP_TO,
  type ShippingDesk,
} from "../../../test/support/shipping.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { pollPackages } from "../../../test/support/system-runs.ts";

const DAY_MS = 24 * 3_600_000;
const JANE = { name: "Jane Doe", lines: ["12 Main Street", "Apartment 4"], city: "Reno", postal: "89506" };

/** Makes a shipment with the order's PO number in another program. @returns its number */
async function addTheirs({ app }: ShippingDesk, reference: string, changes: object = {}): Promise<string> {
  const theirs = { scenario: "never_scanned", reference, to: JANE, weightLb: 2, ...changes };
  const { tracking } = await app.ups.control<{ tracking: string[] }>("packages", theirs);
  return tracking[0] ?? "";
}

const findOrder = async (desk: ShippingDesk, po: string) =>
  (await desk.open()).find(({ po_number }) => po_number === po);

test("UO-01 UO-02 a shipment at UPS with the order's PO number is used only if consignee, packages, service, weights and time agree; any other is asked about, and nothing is bought", async () => {
  const desk = await openShippingDesk();
  const differing = [
    { to: { ...JANE, name: "Tom Reed" } },
    { to: { ...JANE, lines: ["900 Far Road"] } },
    { to: { ...JANE, city: "Macon", state: "GA", postal: "31201" } },
    { packages: 2 },
    { service: "02" },
    { weightLb: 5 },
    { ageHours: 30 },
    { references: ["DS0123456789AB"] },
    { scenario: "unknown" },
  ];
  await desk.addSamples(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  const same = await addTheirs(desk, "800010");
  expect((await desk.ship("800010")).status).toBe(200);
  expect((await desk.history()).labels.map(({ shipment }) => shipment)).toEqual([same]);
  for (const [at, changes] of differing.entries()) {
    const po = `8000${at + 1}`;
    const number = await addTheirs(desk, po, changes);
    expect([changes, (await desk.ship(po)).status]).toEqual([changes, 202]);
    const labels = (await findOrder(desk, po))?.labels;
    expect([changes, labels?.state, labels?.theirs?.number]).toEqual([changes, "asked", number]);
  }
  expect(await desk.shipCalls()).toBe(0);
  const shown = async (po: string) => (await findOrder(desk, po))?.labels?.theirs;
  expect(await shown("80001")).toMatchObject({
    ship_to: ["TOM REED", "12 MAIN STREET", "APARTMENT 4", "RENO NV 89506"],
    place: "RENO, NV 89506",
    cartons: 1,
    weights: ["2.00"],
    service: "UPS Ground",
    made_at: expect.any(String),
    differs: ["consignee"],
  });
  expect((await shown("80004"))?.differs).toContain("packages");
  expect((await shown("80005"))?.differs).toEqual(["service"]);
  expect((await shown("80006"))?.differs).toEqual(["weights"]);
  expect((await shown("80007"))?.differs).toEqual(["time"]);
});

test("UO-01 of two shipments that equal the order neither is used, also once a user denied one of them", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1);
  const both = [await addTheirs(desk, "80001"), await addTheirs(desk, "80001")];
  for (const number of both) {
    expect((await desk.ship("80001")).status).toBe(202);
    const labels = (await findOrder(desk, "80001"))?.labels;
    expect([labels?.state, labels?.theirs?.number]).toEqual(["asked", number]);
    const json = { id: labels?.id, answer: "not_ours" };
    expect((await desk.browser.call(answerShipment, { json })).status).toBe(200);
    await desk.app.settle();
  }
  expect(await desk.shipCalls()).toBe(1);
  expect(await desk.liveAtUps()).toEqual(expect.arrayContaining(both));
});

test("UO-02 a user says of a shipment with the order's PO number that it is the order's, something else, or a mistake to void", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2, 3);
  const answer = async (po: string, json: object) => {
    const id = (await findOrder(desk, po))?.labels?.id;
    const reply = await desk.browser.call(answerShipment, { json: { id, ...json } });
    await desk.app.settle();
    return reply.status;
  };
  const to = { ...JANE, name: "Tom Reed" };
  const [used, other, mistake] = [
    await addTheirs(desk, "80001", { to }),
    await addTheirs(desk, "80002", { to }),
    await addTheirs(desk, "80003", { to }),
  ];
  for (const po of ["80001", "80002", "80003"]) expect((await desk.ship(po)).status).toBe(202);
  expect(await answer("80001", { answer: "tracking_number", tracking_number: used })).toBe(200);
  expect(await desk.shipCalls()).toBe(0);
  expect(await answer("80002", { answer: "not_ours" })).toBe(200);
  expect(await desk.shipCalls()).toBe(1);
  expect(await answer("80003", { answer: "void_theirs" })).toBe(200);
  expect(await desk.shipCalls()).toBe(2);
  const { labels } = await desk.history();
  expect(labels.map(({ po_number, state }) => [po_number, state]).toReversed()).toEqual([
    ["80001", "live"],
    ["80002", "live"],
    ["80003", "live"],
  ]);
  const live = await desk.liveAtUps();
  expect(live).toHaveLength(4);
  expect(live).toEqual(expect.arrayContaining([used, other, ...labels.map(({ shipment }) => shipment)]));
  expect(live).not.toContain(mistake);
});

test.each([
  ["not_ours", 3],
  ["void_theirs", 2],
] as const)(
  "UO-02 TD-03 where a part of the order was bought with the same cartons, the answer %s buys the part that was asked about, and cancels what it left behind",
  async (answer, live) => {
    const desk = await openShippingDesk();
    await desk.addSamples(1);
    const hold = (...pieces: [string, string][]) => pieces.map(([line, quantity]) => ({ line, quantity }));
    const cartons = [{ ...CARTON, contents: hold(["1", "1"], ["2", "4"]) }];
    const buy = (more: object) => desk.ship("80001", cartons, { key: crypto.randomUUID(), ...more });
    expect((await buy({})).status).toBe(200);
    await addTheirs(desk, "80001", { to: { ...JANE, name: "Tom Reed" } });
    expect((await buy({ cancels: hold(["2", "2"]) })).status).toBe(202);
    const id = (await findOrder(desk, "80001"))?.labels?.id;
    expect((await desk.browser.call(answerShipment, { json: { id, answer } })).status).toBe(200);
    await desk.app.settle();
    expect(await desk.shipCalls()).toBe(2);
    expect((await desk.history()).labels).toMatchObject([{ state: "live" }, { state: "live" }]);
    expect(await desk.liveAtUps()).toHaveLength(live);
    // The last two pieces of line 2 are canceled.
    expect(await desk.open()).toEqual([]);
  },
);

test("UO-02 TD-03 a shipment that isn't ours is bought as a lower part of the order if that was voided since the question", async () => {
  const desk = await openShippingDesk();
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  await desk.addSamples(1);
  const cartons = (quantity: string) => [{ ...CARTON, contents: [{ line: "2", quantity }] }];
  const buy = (quantity: string) => desk.ship("80001", cartons(quantity), { key: crypto.randomUUID() });
  expect((await buy("4")).status).toBe(200);
  expect((await buy("2")).status).toBe(200);
  const [, first] = (await desk.history()).labels;
  await addTheirs(desk, "80001", { to: { ...JANE, name: "Tom Reed" } });
  expect((await buy("3")).status).toBe(202);
  const id = (await findOrder(desk, "80001"))?.labels?.id;
  const query = { po_number: "80001", shipment: first?.shipment ?? "" };
  expect((await desk.browser.call(voidShipment, { query })).status).toBe(200);
  const answered = await desk.browser.call(answerShipment, { json: { id, answer: "not_ours" } });
  expect(answered.status, answered.text).toBe(200);
  await desk.app.settle();
  expect(await desk.shipCalls()).toBe(3);
  expect((await desk.history()).labels.map(({ state }) => state)).toEqual(["live", "live", "voided"]);
});

test("UO-02 once a question was answered, another answer voids and buys nothing", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1);
  const theirs = await addTheirs(desk, "80001", { to: { ...JANE, name: "Tom Reed" } });
  expect((await desk.ship("80001")).status).toBe(202);
  const id = (await findOrder(desk, "80001"))?.labels?.id;
  const answer = (json: object) => desk.browser.call(answerShipment, { json: { id, ...json } });
  expect((await answer({ answer: "not_ours" })).status).toBe(200);
  await desk.app.settle();
  const live = await desk.liveAtUps();
  expect(live).toContain(theirs);
  for (const other of ["void_theirs", "not_ours", "create_again"])
    expect((await answer({ answer: other })).json()).toMatchObject({ status: 409, code: "labels_settled" });
  await desk.app.settle();
  expect(await desk.liveAtUps()).toEqual(live);
});

test("UO-02 a shipment that another order took since the question is not voided", async () => {
  const desk = await openShippingDesk();
  await desk.addSamples(1, 2);
  const to = { ...JANE, name: "Tom Reed" };
  const taken = await addTheirs(desk, "80001", { to });
  await addTheirs(desk, "80002", { to });
  for (const po of ["80001", "80002"]) expect((await desk.ship(po)).status).toBe(202);
  const answer = async (po: string, json: object) => {
    const id = (await findOrder(desk, po))?.labels?.id;
    return (await desk.browser.call(answerShipment, { json: { id, ...json } })).status;
  };
  // It goes to another consignee, so it is asked about once more.
  for (const status of [409, 200])
    expect(await answer("80002", { answer: "tracking_number", tracking_number: taken })).toBe(status);
  expect(await answer("80001", { answer: "void_theirs" })).toBe(409);
  expect(await desk.liveAtUps()).toContain(taken);
});

test("a purchase carries a reference of its own in addition to the PO number; UPS is searched twice before it, and once an hour later", async () => {
  const desk = await openShippingDesk();
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  await desk.addSamples(1);
  await desk.ship("80001");
  type Sent = { shipments: { packages: { references: { code: string; value: string }[] }[] }[] };
  const { shipments } = await desk.app.ups.control<Sent>("shipments");
  expect(shipments[0]?.packages[0]?.references).toEqual([
    { code: "PO", value: "80001", barcode: false },
    { code: "TN", value: expect.stringMatching(/^DS[0-9A-HJKMNP-TV-Z]{12}$/), barcode: false },
  ]);
  const listSearches = async () => {
    const { entries } = await desk.app.ups.control<{ entries: { operation: string }[] }>("journal");
    return entries
      .map(({ operation }) => operation)
      .filter((operation) => ["recovery", "track_reference"].includes(operation));
  };
  expect(await listSearches()).toEqual(["recovery", "track_reference"]);
  for (let hour = 0; hour < 3; hour += 1) {
    desk.app.clock.advance(3_700_000);
    await pollPackages(desk.app);
  }
  expect(await listSearches()).toEqual(["recovery", "track_reference", "track_reference"]);
});

/** Loses UPS's answer to a purchase, and sees it found by its own reference among other shipments of its PO number. */
async function expectFoundInTwoCalls(desk: ShippingDesk) {
  await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 1 });
  expect((await desk.ship("80001")).status).toBe(202);
  const [lost] = await desk.liveAtUps();
  for (const changes of [{}, { weightLb: 5 }, { packages: 2 }]) await addTheirs(desk, "80001", changes);
  await desk.app.settle(90_000);
  expect((await desk.history()).labels).toMatchObject([{ shipment: lost, state: "live" }]);
  type Calls = { entries: { operation: string; path: string }[] };
  const { entries } = await desk.app.ups.control<Calls>("journal");
  const after = entries.slice(entries.findLastIndex(({ operation }) => operation === "ship") + 1);
  expect(after.map(({ operation }) => operation)).toEqual(["recovery", "track_reference"]);
  expect(after[1]?.path).toMatch(/\/DS[0-9A-Z]{12}$/);
}

test("UO-01 after a lost answer a purchase is found by its own reference in two calls, however many other shipments have the PO number", async () => {
  const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "20000,40000" } });
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  await desk.addSamples(1);
  await expectFoundInTwoCalls(desk);
});

test("UO-01 labels that UPS made after an address was corrected are found by their own reference in two calls", async () => {
  const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "20000,40000" } });
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  const unknown = sampleOrder(1).map((segment) => segment.replace("12 Main Street", "900 Far Road"));
  await desk.add(sampleFile({ sets: [unknown] }));
  expect((await desk.ship("80001")).status).toBe(409);
  const { id: order_id, labels } = (await findOrder(desk, "80001")) ?? {};
  expect(labels).toMatchObject({ state: "failed", correct: "address" });
  const json = { order_id, ship_to: SHIP_TO };
  expect((await desk.browser.call(correctAddress, { json })).status).toBe(200);
  await expectFoundInTwoCalls(desk);
});

test("UO-01 while another UPS account is connected, a purchase in doubt is asked about with its account's number; its labels are found once that is connected again", async () => {
  const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "20000,40000,60000" } });
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  await desk.addSamples(1, 2);
  await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 2 });
  for (const po of ["80001", "80002"]) expect((await desk.ship(po)).status).toBe(202);
  const lost = await desk.liveAtUps();
  expect(lost).toHaveLength(2);
  await linkUps(desk.app, desk.browser, { account: "012345", user: "bay-shipping" });
  await desk.app.settle(120_000);
  for (const po of ["80001", "80002"]) {
    const labels = (await findOrder(desk, po))?.labels;
    expect(labels).toMatchObject({ state: "asked", theirs: null, correct: "account" });
    expect(labels?.error).toContain("UPS account 1A2B3C");
  }
  const answer = async (po: string, json: object) => {
    const id = (await findOrder(desk, po))?.labels?.id;
    return (await desk.browser.call(answerShipment, { json: { id, ...json } })).status;
  };
  expect(await answer("80001", { answer: "create_again" })).toBe(200);
  // Its labels are voided when the account that they were bought on is connected again, not taken for none before.
  desk.app.clock.advance(3_700_000);
  await pollPackages(desk.app);
  expect(await desk.liveAtUps()).toEqual(lost);
  await linkUps(desk.app, desk.browser);
  expect(await answer("80002", { answer: "create_again" })).toBe(200);
  expect((await desk.ship("80002")).status).toBe(200);
  expect((await desk.ship("80001")).status).toBe(200);
  const found = (await desk.history()).labels.map(({ shipment }) => shipment);
  expect(found.toSorted()).toEqual(lost.toSorted());
  expect(await desk.shipCalls()).toBe(2);
});

test.each(["no_label_after", "bad_label_after"])(
  "UO-08 a success of UPS without a usable label (%s) keeps the number, and its labels are found by it",
  async (fault) => {
    const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "2000,3000" } });
    await desk.addSamples(1);
    // By reference nothing is found.
    await desk.app.ups.control("settings", { scenario: "unknown", recoveryDelayMs: 2_500 }, "PATCH");
    await desk.app.ups.control("faults", { fault, operation: "ship", times: 1 });
    await desk.app.ups.control("faults", {
      fault: "html_page",
      operation: "track_reference",
      skip: 1,
      status: 502,
    });
    expect((await desk.ship("80001")).status).toBe(202);
    await desk.app.settle();
    const [id] = await desk.liveAtUps();
    expect((await desk.history()).labels).toMatchObject([{ shipment: id, state: "live" }]);
    expect(await desk.shipCalls()).toBe(1);
  },
);

/** Says what is in each of two cartons of a sample order. */
async function sayContents({ browser }: ShippingDesk, id: string | undefined): Promise<number> {
  const pieces = [
    { line: "1", quantity: "2" },
    { line: "2", quantity: "10" },
  ];
  const cartons = pieces.map((each) => ({ contents: [each] }));
  return (await browser.call(setContents, { json: { id, cartons } })).status;
}

test("UO-02 where a user takes another shipment of more cartons, a user says what is in each", async () => {
  const clock = steppedClock();
  const desk = await openShippingDesk({ clock });
  await desk.addSamples(1);
  const theirs = await addTheirs(desk, "80001", { packages: 2 });
  expect((await desk.ship("80001")).status).toBe(202);
  const id = (await findOrder(desk, "80001"))?.labels?.id;
  const json = { id, answer: "tracking_number", tracking_number: theirs };
  expect((await desk.browser.call(answerShipment, { json })).status).toBe(200);
  expect((await desk.history()).labels[0]).toMatchObject({ shipment: theirs, carton_count: 2 });
  expect(await sayContents(desk, id)).toBe(200);
  clock.advance(DAY_MS);
  await desk.signIn();
  const list = await desk.browser.call(listNotices, { query: { show: "all" } });
  const [notice] = (list.json() as { notices: Notice[] }).notices;
  const { text } = await desk.browser.call(downloadNotices, { json: { ids: [notice?.id] } });
  // The shipment's, then each carton's.
  expect([...text.matchAll(/TD1\*\w+\*(\d+)\*{4}G\*([\d.]+)/g)].map(([, ...found]) => found)).toEqual([
    ["2", "4"],
    ["1", "2"],
    ["1", "2"],
  ]);
});

test.each(["drop_after", "no_label_after"])(
  "UO-01 UO-07 a purchase that has fewer packages left at UPS when it is found (%s) raises a question; used, its cartons' contents are open",
  async (fault) => {
    const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "20000,40000" } });
    await desk.app.ups.control("settings", { scenario: "never_scanned", recoveryDelayMs: 5_000 }, "PATCH");
    await desk.addSamples(1);
    await desk.app.ups.control("faults", { fault, operation: "ship", times: 1 });
    expect((await desk.ship("80001", [CARTON, CARTON, CARTON])).status).toBe(202);
    type UpsShipments = { shipments: { packages: { tracking: string }[] }[] };
    const { shipments } = await desk.app.ups.control<UpsShipments>("shipments");
    const [first, second, third] = shipments[0]?.packages.map(({ tracking }) => tracking) ?? [];
    await desk.app.ups.control("packages/void", { tracking: second });
    await desk.app.settle(90_000);
    const labels = (await findOrder(desk, "80001"))?.labels;
    expect([labels?.state, labels?.theirs]).toMatchObject(["asked", { number: first, cartons: 2 }]);
    expect(labels?.theirs?.differs).toContain("packages");
    const json = { id: labels?.id, answer: "tracking_number", tracking_number: first };
    expect((await desk.browser.call(answerShipment, { json })).status).toBe(200);
    const [used] = (await desk.history()).labels;
    expect(used?.tracking_numbers).toEqual([first, third]);
    expect(await sayContents(desk, used?.id)).toBe(200);
  },
);

test("UO-08 a number whose label UPS doesn't give is shown in the question", async () => {
  const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "300,1000" } });
  await desk.addSamples(1);
  await desk.app.ups.control("settings", { recoveryDelayMs: 100_000_000 }, "PATCH");
  await desk.app.ups.control("faults", { fault: "no_label_after", operation: "ship", times: 1 });
  expect((await desk.ship("80001")).status).toBe(202);
  await desk.app.settle();
  const [number] = await desk.liveAtUps();
  const labels = (await findOrder(desk, "80001"))?.labels;
  expect([labels?.state, labels?.theirs]).toEqual(["asked", null]);
  expect(labels?.error).toContain(`UPS made shipment ${number} for this order, but won't give us its label.`);
});

test("UO-08 a shipment whose label UPS doesn't give is asked about once: then the order gets other labels", async () => {
  const desk = await openShippingDesk({ env: { SHIP_WAITS_MS: "300,1000" } });
  await desk.addSamples(1);
  const settings = { scenario: "never_scanned", recoveryDelayMs: 100_000_000 };
  await desk.app.ups.control("settings", settings, "PATCH");
  await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 1 });
  expect((await desk.ship("80001")).status).toBe(202);
  await desk.app.settle();
  const labels = (await findOrder(desk, "80001"))?.labels;
  expect(labels?.error).toContain("but won't give us its label");
  const json = { id: labels?.id, answer: "create_again" };
  expect((await desk.browser.call(answerShipment, { json })).status).toBe(200);
  expect((await desk.ship("80001")).status).toBe(200);
  expect(await desk.shipCalls()).toBe(2);
});
