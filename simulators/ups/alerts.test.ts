import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Doc } from "../kit/test-call.ts";
import { readCodes, shipBody, startTestUps } from "./test-kit.ts";

type Received = { path: string; headers: Record<string, string | string[] | undefined>; text: string };
const received: Received[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    received.push({
      path: request.url ?? "",
      headers: request.headers,
      text: Buffer.concat(chunks).toString(),
    });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ access_token: "our-token", expires_in: 3600 }));
  });
});
server.listen(0, "localhost");
await once(server, "listening");
afterAll(() => void server.close());
const ours = `http://localhost:${(server.address() as AddressInfo).port}`;

const ups = await startTestUps();
const acme = await ups.connect();
const DAY_MS = 86_400_000;
const CALM = { off: false, duplicates: 0, reversed: false, noise: false };
beforeEach(async () => {
  received.length = 0;
  await ups.control("PATCH", "settings", { alerts: CALM, mode: "live" });
});

async function ship(call = acme): Promise<string> {
  const { body } = await call("POST", "shipments/v2409/ship", shipBody());
  return String(body["ShipmentResponse"]!["ShipmentResults"]!["ShipmentIdentificationNumber"]);
}
async function subscribe(
  numbers: readonly string[],
  changes: object = {},
  { path = "v1/subscription/standard/package", call = acme } = {},
) {
  const answer = await call("POST", `track/${path}`, {
    locale: "en_US",
    countryCode: "US",
    trackingNumberList: numbers,
    destination: { url: `${ours}/events`, credentialType: "Bearer", credential: "our-secret" },
    ...changes,
  });
  // Events count from the millisecond after the subscription, and a fast machine moves a package within it.
  await ups.control("POST", "clock", { advanceMs: 1 });
  return answer;
}
const move = (tracking: string, to: string) => ups.control("POST", "packages/move", { tracking, to });
const events = () => received.filter(({ path }) => path === "/events");
const codes = () =>
  events().map(({ text }) => (JSON.parse(text) as { activityStatus: { code: string } }).activityStatus.code);

test("version 1 sends events to the address of the request, with its credential", async () => {
  const number = await ship();
  expect((await subscribe([number, "1Z"])).body).toEqual({
    validTrackingNumbers: [number],
    invalidTrackingNumbers: ["1Z"],
  });
  await move(number, "origin");
  await expect.poll(codes).toEqual(["OR"]);
  const [{ headers, text }] = events() as [Received];
  expect(headers).toMatchObject({ credential: "our-secret", "user-agent": "UPSPubSubTrackingService" });
  expect(JSON.parse(text)).toMatchObject({
    trackingNumber: number,
    gmtOffset: "-08.00",
    activityStatus: { type: "I", code: "OR", description: "Origin Scan", descriptionCode: "005" },
    actualDeliveryDate: "",
  });
  await move(number, "delivered");
  await expect.poll(codes).toEqual(["OR", "DP", "AR", "OT", "FS"]);
});

test("version 2 sends events to the app's address, with our endpoint's own token", async () => {
  await ups.control("POST", "apps", {
    client_id: "dockside-demo",
    webhook: {
      url: `${ours}/events`,
      token_url: `${ours}/token`,
      client_id: "ups-at-ours",
      client_secret: "s",
    },
  });
  const number = await ship();
  await subscribe([number], {}, { path: "v2/subscription/enhanced/package" });
  await move(number, "origin");
  await expect.poll(events).toHaveLength(1);
  expect(received[0]).toMatchObject({
    path: "/token",
    text: "grant_type=client_credentials",
    headers: { authorization: `Basic ${btoa("ups-at-ours:s")}` },
  });
  expect(events()[0]!.headers).toMatchObject({
    authorization: "Bearer our-token",
    "x-api-key": "ups-at-ours",
  });
  expect(JSON.parse(events()[0]!.text)).toMatchObject({ receivedBy: "" });
});

test("a whole account is subscribed, and unsubscribed", async () => {
  const answer = await acme("POST", "track/v2/subscription/standard/account", {
    shipperAccountNumber: "1A2B3C",
    subAccountType: ["Outbound"],
    subscriptionId: "s-1",
  });
  expect(answer.body).toMatchObject({
    shipperAccountNumber: "1A2B3C",
    subscriptionId: "s-1",
    expiryDate: "9999-12-31",
  });
  const path = "track/v2/subscription/standard/account?shipper_account_number=1A2B3C";
  expect((await acme("DELETE", path)).status).toBe(200);
  const left = (await ups.control("GET", "alerts"))["subscriptions"] as unknown as Doc[];
  expect(left.filter(({ account }) => String(account) === "1A2B3C")).toEqual([]);
  const bay = await ups.connect("bay-shipping");
  expect((await bay("DELETE", path)).status).toBe(400);
});

test("on request, events come twice, out of order, or with a blank", async () => {
  const number = await ship();
  await subscribe([number]);
  await ups.control("PATCH", "settings", { alerts: { duplicates: 1, reversed: true, noise: true } });
  await move(number, "departed");
  await expect.poll(codes).toHaveLength(4);
  expect(codes()).toEqual(["DP", "DP", "OR", "OR"]);
  expect(JSON.parse(events()[0]!.text)).toMatchObject({ trackingNumber: ` ${number}` });
});

test("an event missed by a dead endpoint is lost", async () => {
  const number = await ship();
  await subscribe([number], { destination: { url: "http://localhost:9/events", credential: "x" } });
  await move(number, "origin");
  const sent = async () => {
    const { alerts } = await ups.control("GET", "alerts");
    return (alerts as unknown as Doc[]).filter(({ tracking }) => String(tracking) === number);
  };
  await expect.poll(sent).toMatchObject([{ event: "origin", status: 0 }]);
  await subscribe([number]);
  await move(number, "departed");
  await expect.poll(codes).toEqual(["DP"]);
});

test("nothing is sent after 14 days", async () => {
  await ups.control("PATCH", "settings", { scenario: "never_scanned" });
  const [early, late] = [await ship(), await ship()];
  await subscribe([early, late]);
  const cancel = async (number: string) =>
    (await ups.connect())("DELETE", `shipments/v2409/void/cancel/${number}`);
  const sent = () =>
    events().map(({ text }) => (JSON.parse(text) as { trackingNumber: string }).trackingNumber);
  await ups.control("POST", "clock", { advanceMs: 13 * DAY_MS });
  await cancel(early);
  await expect.poll(sent).toContain(early);
  await ups.control("POST", "clock", { advanceMs: 2 * DAY_MS });
  expect((await cancel(late)).status).toBe(200);
  const witness = await ship(await ups.connect());
  await subscribe([witness], {}, { call: await ups.connect() });
  await (
    await ups.connect()
  )("DELETE", `shipments/v2409/void/cancel/${witness}`);
  await expect.poll(sent).toContain(witness);
  expect(sent()).not.toContain(late);
});

test.each<[string, readonly string[], object, string]>([
  ["no numbers", [], {}, "VSS110"],
  ["only wrong numbers", ["1Z"], {}, "VSS200"],
  ["101 numbers", Array.from({ length: 101 }, () => "1Z1A2B3C0399999999"), {}, "VSS220"],
  ["a wrong locale", ["1Z1A2B3C0399999999"], { locale: "english" }, "VSS300"],
])("%s is refused", async (_name, numbers, changes, code) => {
  const later = await ups.connect();
  const answer = await later("POST", "track/v2/subscription/standard/package", {
    locale: "en_US",
    trackingNumberList: numbers,
    ...changes,
  });
  expect([answer.status, readCodes(answer)]).toEqual([400, [code]]);
});
