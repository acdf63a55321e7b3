import { expect, test } from "vitest";
import { makeCredential } from "#features/packages/alert-credential.ts";
import { answerShipment } from "#features/shipping/contract.ts";
import { deriveReference } from "#features/shipping/rules-ours.ts";
import { listNotices, type Notice } from "#features/orders/notices-out/contract.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import { ACME } from "../../../test/support/intuit.ts";
import { steppedClock } from "../../../test/support/stepped-clock.ts";
import { BAY_SHIPPER, linkUps, openShippingDesk } from "../../../test/support/shipping.ts";
import { executeSystemRun, pollPackages } from "../../../test/support/system-runs.ts";
import { createLog, type Log } from "#platform/log.ts";

const HOUR_MS = 3_600_000;

async function openDesk(env: Record<string, string> = {}, log?: Log) {
  const clock = steppedClock();
  const desk = await openShippingDesk({ clock, env, ...(log ? { log } : {}) });
  const poll = () => pollPackages(desk.app);
  const passHours = async (hours: number) => {
    clock.advance(hours * HOUR_MS);
    await desk.browser.signIn("owner@acme.example");
    await poll();
  };
  const states = async () => (await desk.history()).labels.map((label) => label.package_state);
  return { ...desk, poll, passHours, states };
}

test("OI-13 (the first scan) HI-18 a label that UPS has scanned cannot be voided, and its ship notice is sent at once", async () => {
  const desk = await openDesk();
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  await desk.addSamples(1, 2);
  for (const po of ["80001", "80002"]) expect((await desk.ship(po)).status).toBe(200);
  const due = async () => {
    const { notices } = (await desk.browser.call(listNotices, { query: { show: "due" } })).json() as {
      notices: Notice[];
    };
    return notices.map(({ po_number }) => po_number);
  };
  const [, first] = (await desk.history()).labels;
  const tracking = first?.tracking_numbers[0];
  await desk.app.ups.control("packages", { tracking, scenario: "normal" }, "PATCH");
  await desk.app.ups.control("packages/move", { tracking, to: "origin" });
  // Asked about an hour after it was made, not before.
  await desk.poll();
  expect(await desk.states()).toEqual(["label_created", "label_created"]);
  // While UPS doesn't answer, nothing changes.
  await desk.app.ups.control("faults", { fault: "html_page", operation: "track", status: 502 });
  await desk.passHours(1.1);
  expect(await desk.states()).toEqual(["label_created", "label_created"]);
  await desk.app.ups.control("faults", undefined, "DELETE");
  await desk.passHours(1.1);
  expect((await desk.history()).labels).toMatchObject([
    { po_number: "80002", package_state: "label_created", scanned_at: null, can_void: true },
    { po_number: "80001", package_state: "in_transit", scanned_at: expect.any(String), can_void: false },
  ]);
  expect(await due()).toContain("80001");
  await desk.app.ups.control("packages/move", { tracking, to: "delivered" });
  await desk.passHours(48);
  expect(await desk.states()).toEqual(["label_created", "delivered"]);
  expect((await desk.history({ show: "unscanned" })).labels.map(({ po_number }) => po_number)).toEqual([
    "80002",
  ]);
});

test("OI-13 HI-18 an update of UPS's that is no scan, such as of a date, sends no ship notice and forbids no void; the first scan does", async () => {
  const desk = await openDesk();
  const { app } = desk;
  await app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  await desk.addSamples(1);
  expect((await desk.ship("80001")).status).toBe(200);
  const [label] = (await desk.history()).labels;
  const credential = makeCredential(app.application.tracking.sealingKeys, ACME);
  const send = async (type: string, descriptionCode: string) => {
    app.clock.advance(60_000);
    const at = app.clock.now().toISOString().replaceAll(/[-:]/g, "");
    const body = JSON.stringify({
      trackingNumber: label?.tracking_numbers[0],
      gmtActivityDate: at.slice(0, 8),
      gmtActivityTime: at.slice(9, 15),
      activityStatus: { type, code: "UP", description: "The delivery date was changed", descriptionCode },
    });
    const headers = { "content-type": "application/json", credential };
    expect((await fetch(`${app.url}/webhooks/ups`, { method: "POST", body, headers })).status).toBe(200);
    await executeSystemRun(app, "tracking.inbox");
    await executeSystemRun(app, "labels.settle");
  };
  const read = async () => {
    const query = { show: "due" };
    const { notices } = (await desk.browser.call(listNotices, { query })).json() as { notices: Notice[] };
    const [{ scanned_at: at, can_void: canVoid } = { scanned_at: null }] = (await desk.history()).labels;
    return { isScanned: at !== null, canVoid, due: notices.length };
  };
  for (const code of ["100", "106", "018"]) await send("U", code);
  expect(await read()).toEqual({ isScanned: false, canVoid: true, due: 0 });
  await send("I", "005");
  expect(await read()).toEqual({ isScanned: true, canVoid: false, due: 1 });
});

/** Gives up a purchase that UPS never received. */
async function abandon(desk: Awaited<ReturnType<typeof openDesk>>) {
  await desk.app.ups.control("settings", { scenario: "never_scanned", recoveryDelayMs: 0 }, "PATCH");
  await desk.addSamples(1);
  await desk.app.ups.control("faults", { fault: "drop", operation: "ship", times: 1 });
  await desk.ship("80001");
  await desk.app.settle(60_000);
  expect((await desk.open())[0]?.labels?.state).toBe("asked");
  const json = { id: (await desk.open())[0]?.labels?.id, answer: "create_again" };
  expect((await desk.browser.call(answerShipment, { json })).status).toBe(200);
}

type Shipments = { shipments: { packages: { voidedAt: number | null }[] }[] };

const countVoided = async ({ app }: Awaited<ReturnType<typeof openDesk>>) => {
  const { shipments } = await app.ups.control<Shipments>("shipments");
  const packages = shipments.flatMap((shipment) => shipment.packages);
  return [packages.filter(({ voidedAt }) => voidedAt !== null).length, packages.length];
};

test("labels that the order got after a purchase was abandoned are not voided", async () => {
  const desk = await openDesk({ SHIP_WAITS_MS: "50,100" });
  await abandon(desk);
  expect((await desk.ship("80001")).status).toBe(200);
  await desk.passHours(2);
  expect(await countVoided(desk)).toEqual([0, 1]);
});

/** Gives up a purchase whose labels UPS made, but shows nowhere yet. @returns a tracking number of it */
async function abandonMade(desk: Awaited<ReturnType<typeof openDesk>>): Promise<string> {
  const settings = { scenario: "unknown", recoveryDelayMs: 3 * HOUR_MS };
  await desk.app.ups.control("settings", settings, "PATCH");
  await desk.addSamples(1);
  await desk.app.ups.control("faults", { fault: "drop_after", operation: "ship", times: 1 });
  await desk.ship("80001");
  await desk.app.settle(60_000);
  expect((await desk.open())[0]?.labels?.state).toBe("asked");
  const json = { id: (await desk.open())[0]?.labels?.id, answer: "create_again" };
  expect((await desk.browser.call(answerShipment, { json })).status).toBe(200);
  type Sent = { shipments: { packages: { tracking: string }[] }[] };
  const { shipments } = await desk.app.ups.control<Sent>("shipments");
  return shipments[0]?.packages[0]?.tracking ?? "";
}

test("labels of an abandoned purchase that the next one found are used, and not voided", async () => {
  const desk = await openDesk({ SHIP_WAITS_MS: "50,100" });
  const tracking = await abandonMade(desk);
  await desk.app.ups.control("packages", { tracking, scenario: "never_scanned" }, "PATCH");
  await desk.app.ups.control("settings", { recoveryDelayMs: 0 }, "PATCH");
  expect((await desk.ship("80001")).status).toBe(200);
  expect((await desk.history()).labels.map(({ shipment }) => shipment)).toEqual([tracking]);
  await desk.passHours(2);
  expect([await countVoided(desk), await desk.shipCalls()]).toEqual([[0, 1], 1]);
});

test("labels that UPS made for an abandoned purchase are voided when they turn up", async () => {
  const desk = await openDesk({ SHIP_WAITS_MS: "50,100" });
  // Neither recovery nor tracking knows them at first.
  const tracking = await abandonMade(desk);
  await desk.passHours(2);
  expect(await countVoided(desk)).toEqual([0, 1]);
  await desk.app.ups.control("packages", { tracking, scenario: "never_scanned" }, "PATCH");
  await desk.passHours(2);
  expect(await countVoided(desk)).toEqual([1, 1]);
});

test("UO-04 another program's label of the same PO number, made while UPS was being asked, is not voided; only one with our own reference is", async () => {
  const desk = await openDesk({ SHIP_WAITS_MS: "50,100" });
  await abandon(desk);
  await desk.app.ups.control("packages", { scenario: "never_scanned", reference: "80001" });
  await desk.passHours(2);
  expect(await countVoided(desk)).toEqual([0, 1]);
});

test("UO-04 a shipment with our own reference that a user said isn't ours is not voided", async () => {
  const desk = await openDesk();
  await desk.addSamples(1);
  const reference = deriveReference({ realmId: ACME, partner: retailer.id, poNumber: "80001", turn: 0 });
  const theirs = { scenario: "never_scanned", reference: "80001", references: [reference], weightLb: 9 };
  await desk.app.ups.control("packages", theirs);
  expect((await desk.ship("80001")).status).toBe(202);
  const json = { id: (await desk.open())[0]?.labels?.id, answer: "not_ours" };
  expect((await desk.browser.call(answerShipment, { json })).status).toBe(200);
  await desk.app.settle();
  await desk.passHours(2);
  expect(await countVoided(desk)).toEqual([0, 2]);
});

test("UO-14 UPS is asked about labels of a former UPS account only once that is connected again", async () => {
  const lines: string[] = [];
  const desk = await openDesk({}, createLog("warn", { write: (line) => lines.push(line) }));
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  await desk.addSamples(1, 2, 3);
  for (const po of ["80001", "80002", "80003"]) expect((await desk.ship(po)).status).toBe(200);
  const searches = async () => {
    const { entries } = await desk.app.ups.control<{ entries: { path: string }[] }>("journal");
    return entries.filter(({ path }) => path.includes("/track/v1/reference/")).length;
  };
  const before = await searches();
  await linkUps(desk.app, desk.browser, { account: BAY_SHIPPER.account, user: BAY_SHIPPER.user });
  await desk.passHours(2);
  await desk.passHours(2);
  expect(lines).toEqual([]);
  expect(await searches()).toBe(before);
  await linkUps(desk.app, desk.browser);
  await desk.passHours(1);
  expect(await searches()).toBe(before + 3);
});

test("UO-14 a number that UPS refuses doesn't stop the polls of the company's others", async () => {
  const desk = await openDesk();
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  await desk.addSamples(1, 2, 3);
  for (const po of ["80001", "80002", "80003"]) await desk.ship(po);
  const { labels } = await desk.history();
  const refused = labels.find(({ po_number }) => po_number === "80001")?.tracking_numbers[0];
  for (const { tracking_numbers } of labels) {
    const [tracking] = tracking_numbers;
    await desk.app.ups.control("packages", { tracking, scenario: "normal" }, "PATCH");
    await desk.app.ups.control("packages/move", { tracking, to: "origin" });
  }
  const path = `/api/track/v1/details/${refused}`;
  await desk.app.ups.control("faults", {
    fault: "refusal",
    path,
    code: "TV1002",
    message: "Invalid inquiry number",
  });
  await desk.passHours(1.1);
  expect((await desk.history()).labels.map((label) => [label.po_number, label.package_state])).toEqual([
    ["80003", "in_transit"],
    ["80002", "in_transit"],
    ["80001", "label_created"],
  ]);
});

test("what wasn't asked because UPS didn't answer keeps its place", async () => {
  const desk = await openDesk();
  await desk.app.ups.control("settings", { scenario: "never_scanned" }, "PATCH");
  await desk.addSamples(1, 2, 3, 4);
  for (const po of ["80001", "80002", "80003", "80004"]) await desk.ship(po);
  const [{ tracking_numbers: numbers } = { tracking_numbers: [] }] = (await desk.history({ q: "80004" }))
    .labels;
  await desk.app.ups.control("packages", { tracking: numbers[0], scenario: "normal" }, "PATCH");
  await desk.app.ups.control("packages/move", { tracking: numbers[0], to: "origin" });
  await desk.app.ups.control("faults", { fault: "html_page", operation: "track", times: 3, status: 502 });
  await desk.passHours(1.1);
  expect((await desk.history({ q: "80004" })).labels[0]?.package_state).toBe("label_created");
  // Minutes later, not an hour.
  await desk.passHours(0.1);
  expect((await desk.history({ q: "80004" })).labels[0]?.package_state).toBe("in_transit");
});
