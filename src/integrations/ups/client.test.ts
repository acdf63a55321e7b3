import { afterEach, beforeEach, expect, test } from "vitest";
import { readTrackingNumber } from "#formats/carrier-label/read-tracking-number.ts";
import { writeLabelPages } from "#formats/carrier-label/write-label-pages.ts";
import type { Ups } from "#integrations/ups/client.ts";
import { createClient } from "#integrations/ups/fixtures/answer-calls.ts";
import { ACCOUNT, shipment } from "#integrations/ups/fixtures/shipments.ts";
import { findShipField } from "#integrations/ups/ship-codes.ts";
import type { Shipment } from "#integrations/ups/shipment.ts";
import { startUps, type UpsSimulator } from "../../../test/support/ups.ts";

let simulator: UpsSimulator & { close(): Promise<void> };
let ups: Ups;
let token: string;

beforeEach(async () => {
  simulator = await startUps();
  ups = createClient(simulator.url);
  const redirect = await simulator.signIn(ups.authorizeUrl("state-1", "verifier-1"), "acme-shipping");
  ({ accessToken: token } = await ups.exchangeCode(redirect.searchParams.get("code") ?? "", "verifier-1"));
});
afterEach(() => simulator.close());

const THIRD_PARTY = { mode: "third_party", account: "R9H77W", zip: "30339", country: "US" } as const;

/** Two cartons with the order's number, paid by the retailer. */
function order(reference = "PO-7001", changes: Partial<Shipment> = {}): Shipment {
  const base = shipment({ billing: THIRD_PARTY });
  const references = [{ code: "PO", value: reference }];
  return { ...base, packages: base.packages.map((each) => ({ ...each, references })), ...changes };
}

const countShips = async () => {
  const { entries } = await simulator.control<{ entries: { operation: string | null }[] }>("journal");
  return entries.filter(({ operation }) => operation === "ship").length;
};

const today = (days = 0) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

test.each(["GIF", "ZPL"] as const)(
  "two cartons are shipped in one call, and each %s label has the bars of its number",
  async (label) => {
    const answer = await ups.ship(token, order("PO-7001", { label }));
    const [first, second] = answer.packages;
    expect(answer).toMatchObject({
      shipmentId: first?.trackingNumber,
      charges: { total: "0.00", currency: "USD" },
    });
    expect(first?.trackingNumber).not.toBe(second?.trackingNumber);
    for (const each of answer.packages) {
      expect(each.label.format).toBe(label);
      expect(readTrackingNumber(each.label.bytes)).toBe(each.trackingNumber);
    }
    if (label === "GIF") {
      const pages = Buffer.concat([
        ...writeLabelPages(
          answer.packages.map((each) => each.label.bytes),
          "PO-7001",
        ),
      ]);
      expect(pages.toString("latin1")).toContain("/Count 2");
    }
    expect(await countShips()).toBe(1);
  },
);

test("the paying account sees its own price next to the list price", async () => {
  const answer = await ups.ship(token, order("PO-7002", { billing: { mode: "shipper" } }));
  expect(Number(answer.negotiated?.total)).toBeGreaterThan(0);
  expect(Number(answer.charges?.total)).toBeGreaterThan(Number(answer.negotiated?.total));
});

test.each<[string, string, Partial<Shipment>]>([
  [
    "a ZIP that is not of the payer's account",
    "third_party_zip",
    { billing: { ...THIRD_PARTY, zip: "10001" } },
  ],
  [
    "an account that can't be billed",
    "third_party_account",
    { billing: { ...THIRD_PARTY, account: "C105ED" } },
  ],
  ["another company's account", "ups_account", { shipper: { ...shipment().shipper, account: "012345" } }],
  [
    "a state that isn't the ZIP's",
    "ship_to",
    { shipTo: { ...shipment().shipTo, address: { ...shipment().shipTo.address, state: "NY" } } },
  ],
])("%s is refused in UPS's words, with the part that it is about", async (_name, field, changes) => {
  const error = await ups.ship(token, order("PO-7003", changes)).catch((each: unknown) => each);
  expect(error).toMatchObject({ kind: "refused" });
  const { faults } = error as { faults: { code: string; message: string }[] };
  expect(faults.map(({ code }) => findShipField(code))).toContain(field);
  expect(faults[0]?.message).not.toBe("");
});

test("after a cut connection the labels are found by their reference, and Ship was called once", async () => {
  await simulator.control("settings", { recoveryDelayMs: 0 }, "PATCH");
  await simulator.control("faults", { fault: "drop_after", operation: "ship" });
  await expect(ups.ship(token, order())).rejects.toMatchObject({ kind: "uncertain" });
  const found = await ups.recoverLabels(token, { reference: "PO-7001", account: ACCOUNT }, "GIF");
  expect(found).toMatchObject({ state: "found" });
  if (found.state !== "found") expect.unreachable();
  expect(found.packages).toHaveLength(2);
  for (const { trackingNumber, label } of found.packages)
    if (label) expect(readTrackingNumber(label.bytes)).toBe(trackingNumber);
  const scope = { account: ACCOUNT, from: today(-1), to: today(1) };
  const tracked = await ups.trackReference(token, "PO-7001", scope);
  expect(tracked.map(({ trackingNumber }) => trackingNumber).toSorted()).toEqual(
    found.packages.map(({ trackingNumber }) => trackingNumber).toSorted(),
  );
  expect(await ups.trackReference(token, "PO-NONE", scope)).toEqual([]);
  expect(await countShips()).toBe(1);
});

test("a label made seconds ago, a voided one, and one that was never made have different codes", async () => {
  const { shipmentId } = await ups.ship(token, order());
  await simulator.control("settings", { recoveryDelayMs: 3_600_000 }, "PATCH");
  expect(await ups.recoverLabels(token, { trackingNumber: shipmentId }, "GIF")).toEqual({
    state: "none",
    reason: "unknown",
  });
  await simulator.control("settings", { recoveryDelayMs: 0 }, "PATCH");
  await ups.voidShipment(token, shipmentId);
  expect(await ups.recoverLabels(token, { trackingNumber: shipmentId }, "GIF")).toEqual({
    state: "none",
    reason: "voided",
  });
  const nowhere = { reference: "PO-NONE", account: ACCOUNT };
  expect(await ups.recoverLabels(token, nowhere, "GIF")).toMatchObject({ state: "none" });
});

test("a reference of two shipments gives candidates", async () => {
  await simulator.control("settings", { recoveryDelayMs: 0 }, "PATCH");
  const made = [await ups.ship(token, order()), await ups.ship(token, order())];
  const found = await ups.recoverLabels(token, { reference: "PO-7001", account: ACCOUNT }, "GIF");
  if (found.state !== "candidates") expect.unreachable();
  const numbers = found.candidates.map(({ trackingNumber }) => trackingNumber);
  for (const { shipmentId } of made) expect(numbers).toContain(shipmentId);
});

test("packages are voided despite stray characters, even twice, and not once they were scanned", async () => {
  await simulator.control("settings", { voidNoise: true }, "PATCH");
  const { shipmentId, packages } = await ups.ship(token, order());
  const [number = "", otherNumber = ""] = packages.map(({ trackingNumber }) => trackingNumber);
  const first = await ups.voidShipment(token, shipmentId, [number]);
  expect(first).toMatchObject({ state: "voided", packages: [{ trackingNumber: number, isVoided: true }] });
  expect(await ups.voidShipment(token, shipmentId, [number, otherNumber])).toMatchObject({ state: "voided" });
  expect(await ups.voidShipment(token, shipmentId)).toMatchObject({ state: "voided" });

  const moving = await ups.ship(token, order("PO-7002"));
  const [scanned = "", waiting = ""] = moving.packages.map(({ trackingNumber }) => trackingNumber);
  await until(scanned, "in_transit");
  expect(await ups.voidShipment(token, moving.shipmentId, [scanned, waiting])).toMatchObject({
    state: "partly",
    packages: [
      { trackingNumber: scanned, isVoided: false },
      { trackingNumber: waiting, isVoided: true },
    ],
  });
  expect(await ups.voidShipment(token, moving.shipmentId)).toMatchObject({ state: "partly" });

  const gone = await ups.ship(token, order("PO-7003"));
  for (const { trackingNumber } of gone.packages) await until(trackingNumber, "in_transit");
  await expect(ups.voidShipment(token, gone.shipmentId)).rejects.toMatchObject({ kind: "refused" });
});

test("more packages than UPS voids in a call are voided in several, and answered in the order requested", async () => {
  const [pkg] = order().packages;
  const packages = Array.from({ length: 23 }, () => pkg ?? expect.unreachable());
  const { shipmentId, packages: made } = await ups.ship(token, order("PO-7004", { packages }));
  const numbers = made.map(({ trackingNumber }) => trackingNumber);
  expect(new Set(numbers).size).toBe(23);
  const some = numbers.slice(0, 22);
  expect(await ups.voidShipment(token, shipmentId, some)).toEqual({
    state: "voided",
    packages: some.map((trackingNumber) => ({ trackingNumber, isVoided: true, message: "Voided" })),
  });
  expect((await ups.track(token, numbers[22] ?? ""))[0]?.state).toBe("label_created");
});

async function read(number: string) {
  const [found] = await ups.track(token, number, { withSignature: true, withProof: true });
  return found ?? expect.unreachable();
}

/** Lets a package's events happen until it has a state. @returns the states on the way */
async function until(number: string, state: string): Promise<(string | null)[]> {
  const states = [(await read(number)).state];
  for (let step = 0; step < 20 && states.at(-1) !== state; step += 1) {
    await simulator.control("packages/advance", { tracking: number });
    states.push((await read(number)).state);
  }
  expect(states.at(-1)).toBe(state);
  return states;
}

test("a package is followed from its label to its delivery, with signature and proof", async () => {
  const { shipmentId } = await ups.ship(token, order());
  const states = await until(shipmentId, "delivered");
  expect(states[0]).toBe("label_created");
  expect(states).toContain("in_transit");
  expect(states.indexOf("out_for_delivery")).toBeGreaterThan(states.indexOf("in_transit"));
  const found = await read(shipmentId);
  expect(found.deliveredOn).toMatch(/^\d{4}-\d\d-\d\d$/);
  const times = found.activities.map(({ at }) => Date.parse(at ?? ""));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(found.delivery?.proof?.toString()).toContain("Delivery Notification");
  expect(found.delivery?.signature?.length).toBeGreaterThan(0);
  expect(found.references.map(({ number }) => number)).toContain("PO-7001");
  const [bare] = await ups.track(token, shipmentId);
  expect(bare?.delivery).toMatchObject({ signature: null, proof: null });
});

test.each([
  ["exception", "exception"],
  ["attempted", "attempted"],
  ["returned", "returning"],
  ["access_point", "held"],
])("a package with the script %s is %s at one time", async (scenario, state) => {
  const { shipmentId } = await ups.ship(token, order());
  await simulator.control("packages", { tracking: shipmentId, scenario }, "PATCH");
  await until(shipmentId, state);
});

test("photo flags before the delivery do not make it delivered, and a number that UPS doesn't know has no package", async () => {
  const { shipmentId } = await ups.ship(token, order());
  await simulator.control("packages", { tracking: shipmentId, scenario: "early_photo" }, "PATCH");
  const states = await until(shipmentId, "delivered");
  expect(states.filter((state) => state === "delivered")).toHaveLength(1);
  expect(await ups.track(token, "1ZZZZZZZ0300000000")).toEqual([]);
  await expect(ups.track(token, "1Z")).rejects.toMatchObject({ kind: "refused" });
});

test.each([
  { fault: "html_page", status: 400 },
  { fault: "html_page", status: 200 },
  { fault: "half_body" },
  { fault: "server_error" },
  { fault: "json_refusal", status: 401 },
  { fault: "drop_after" },
])("only UPS's own words refuse a label or a void: $fault $status leaves it uncertain", async (rule) => {
  await simulator.control("faults", { ...rule, operation: "ship" });
  await expect(ups.ship(token, order())).rejects.toMatchObject({ kind: "uncertain" });
  await simulator.control("faults", undefined, "DELETE");
  const { shipmentId } = await ups.ship(token, order("PO-7002"));
  await simulator.control("faults", { ...rule, operation: "void" });
  await expect(ups.voidShipment(token, shipmentId)).rejects.toMatchObject({ kind: "uncertain" });
  await simulator.control("faults", undefined, "DELETE");
  expect(await ups.voidShipment(token, shipmentId)).toMatchObject({ state: "voided" });
});

test("an expired token is not a refusal", async () => {
  await simulator.control("tokens/expire", {});
  await expect(ups.ship(token, order())).rejects.toMatchObject({ kind: "auth" });
});
