import { machineTimer } from "../kit/timer.ts";
import { expect, test } from "vitest";
import type { Doc } from "../kit/test-call.ts";
import { packageBody, readCodes, readPackages, shipBody, startTestUps } from "./test-kit.ts";

const ups = await startTestUps({ timer: { ...machineTimer, now: () => new Date("2026-03-02T18:00:00Z") } });
const acme = await ups.connect();
const HOUR_MS = 3_600_000;

async function ship(po = "PO-1", count = 1) {
  const pack = packageBody({ ReferenceNumber: [{ Code: "PO", Value: po }] });
  const answer = await acme(
    "POST",
    "shipments/v2409/ship",
    shipBody(
      {},
      Array.from({ length: count }, () => pack),
    ),
  );
  const packs = answer.body["ShipmentResponse"]!["ShipmentResults"]!["PackageResults"] as unknown as Doc[];
  return packs.map((each) => String(each["TrackingNumber"]));
}

const track = async (number: string, query = "", call = acme) =>
  readPackages(await call("GET", `track/v1/details/${number}${query}`))[0]!;
const statuses = (pack: Doc) =>
  (pack["activity"] as unknown as Doc[]).map((each) =>
    ["type", "code", "statusCode"].map((name) => String(each["status"]![name])).join("/"),
  );
const advance = (tracking: string) => ups.control("POST", "packages/advance", { tracking });

test("a new label is only billed; times are local and UTC", async () => {
  const [number = ""] = await ship();
  expect(await track(number)).toMatchObject({
    trackingNumber: number,
    activity: [
      {
        date: "20260302",
        time: "100000",
        gmtDate: "20260302",
        gmtTime: "18:00:00",
        gmtOffset: "-08:00",
        location: { address: { country: "US" } },
        status: { type: "M", code: "MP", statusCode: "003" },
        logicalScan: true,
      },
    ],
    currentStatus: { code: "003" },
    deliveryDate: [{ type: "SDD", date: "20260304" }],
    referenceNumber: [{ code: "PO", number: "PO-1" }],
    packageCount: 1,
    service: { code: "03" },
  });
});

test("a package moves step by step to the door; the newest activity is first, and the live status has no type", async () => {
  const [number = ""] = await ship();
  for (let step = 0; step < 5; step += 1) await advance(number);
  const pack = await track(number);
  expect(statuses(pack)).toEqual(["D/FS/011", "I/OT/021", "I/AR/005", "I/DP/005", "I/OR/005", "M/MP/003"]);
  expect(pack["currentStatus"]).toEqual({ description: "DELIVERED ", code: "011" });
  expect(pack["deliveryDate"]).toEqual([{ type: "DEL", date: "20260302" }]);
  await expect(advance(number)).rejects.toThrow("Nothing more happens");
});

test("a package is also delivered as the clock advances", async () => {
  const [number = ""] = await ship();
  await ups.control("POST", "clock", { advanceMs: 48 * HOUR_MS });
  const later = await ups.connect();
  expect(statuses(await track(number, "", later))[0]).toBe("D/FS/011");
  await ups.control("POST", "clock", { advanceMs: -48 * HOUR_MS });
});

test("an unknown number is found with a warning and no package; a bad one is refused", async () => {
  const answer = await acme("GET", "track/v1/details/1Z1A2B3C0399999999");
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      trackResponse: {
        shipment: [
          {
            inquiryNumber: "1Z1A2B3C0399999999",
            warnings: [{ code: "TW0001", message: "Tracking Information Not Found" }],
          },
        ],
      },
    },
  ]);
  const bad = await acme("GET", "track/v1/details/1Z");
  expect([bad.status, readCodes(bad)]).toEqual([400, ["TV1002"]]);
  const bare = await fetch(`${ups.url}/api/track/v1/details/1Z1A2B3C0399999999`);
  expect(bare.status).toBe(401);
});

test("a search by reference is narrowed by shipper and pickup days; one by shipment is paged", async () => {
  const [first = "", second = ""] = await ship("PO-REF", 2);
  const [third = ""] = await ship("PO-REF");
  const numbers = async (query = "") => {
    const { body } = await acme("GET", `track/v1/reference/details/PO-REF?${query}`);
    return (body["trackResponse"]!["shipment"] as unknown as Doc[])
      .flatMap((each) => (each["package"] ?? []) as unknown as Doc[])
      .map((each) => each["trackingNumber"]);
  };
  expect(await numbers("shipperNum=1A2B3C")).toEqual([first, second, third]);
  expect(await numbers("shipperNum=012345")).toEqual([]);
  expect(await numbers("fromPickUpDate=20260301&toPickUpDate=20260302")).toHaveLength(3);
  expect(await numbers("fromPickUpDate=20260303&toPickUpDate=20260304")).toEqual([]);
  const page = await acme("GET", `track/v1/shipment/details/${first}?offset=1&count=1`);
  expect(readPackages(page).map((each) => each["trackingNumber"])).toEqual([second]);
});

test("proof of delivery is malformed HTML, with a signature; only for a login with a relation", async () => {
  const [number = ""] = await ship();
  for (let step = 0; step < 5; step += 1) await advance(number);
  const query = "?returnSignature=true&returnPOD=true";
  const information = (await track(number, query))["deliveryInformation"]!;
  const page = Buffer.from(String(information["pod"]!["content"]), "base64").toString("utf8");
  for (const part of [
    "<title>Delivery Notification</title>",
    "<mets ",
    "<br></br>",
    "</span></div>",
    number,
    "PO-1",
  ])
    expect(page).toContain(part);
  expect(page).not.toContain("<meta");
  expect(Buffer.from(String(information["signature"]!["image"]), "base64").subarray(1, 4).toString()).toBe(
    "PNG",
  );
  const bay = await ups.connect("bay-shipping");
  expect((await track(number, query, bay))["deliveryInformation"]).toEqual({
    location: "FRONT DOOR",
    receivedBy: "DRIVER RELEASE",
  });
});

test.each([
  ["exception", "D/FS/011", "X/AG/048"],
  ["attempted", "D/FS/011", "X/48/022"],
  ["returned", "X/RS/036", "X/RS/033"],
  ["access_point", "D/9E/011", "D/2Q/161"],
  ["never_scanned", "M/MP/003", "M/MP/003"],
])("scenario %s ends in %s, after %s", async (scenario, last, before) => {
  const [number = ""] = await ship();
  await ups.control("PATCH", "packages", { tracking: number, scenario });
  await ups.control("POST", "clock", { advanceMs: 140 * HOUR_MS });
  const seen = statuses(await track(number, "", await ups.connect()));
  await ups.control("POST", "clock", { advanceMs: -140 * HOUR_MS });
  expect(seen[0]).toBe(last);
  expect(seen).toContain(before);
});

test("on request, proof comes later than the delivery, and the signature as GIF or not at all", async () => {
  const [number = ""] = await ship();
  await ups.control("POST", "packages/move", { tracking: number, to: "delivered" });
  const information = async () =>
    (await track(number, "?returnSignature=true&returnPOD=true"))["deliveryInformation"]!;
  await ups.control("PATCH", "settings", { proofDelayMs: HOUR_MS, signature: "gif" });
  expect(await information()).not.toHaveProperty("pod");
  expect(await information()).not.toHaveProperty("signature");
  await ups.control("PATCH", "settings", { proofDelayMs: 0 });
  const image = String((await information())["signature"]!["image"]);
  expect(Buffer.from(image, "base64").subarray(0, 6).toString()).toBe("GIF89a");
  await ups.control("PATCH", "settings", { signature: "none" });
  expect(await information()).not.toHaveProperty("signature");
  expect(await information()).toHaveProperty("pod");
  await ups.control("PATCH", "settings", { signature: "png" });
});

test("a package can be unknown to tracking even though it was shipped", async () => {
  const [number = ""] = await ship();
  await ups.control("PATCH", "packages", { tracking: number, scenario: "unknown" });
  expect((await acme("GET", `track/v1/details/${number}`)).text).toContain("TW0001");
});

test("photo flags can appear before a delivery", async () => {
  const [number = ""] = await ship();
  await ups.control("PATCH", "packages", { tracking: number, scenario: "early_photo" });
  expect((await track(number))["deliveryInformation"]).toEqual({
    deliveryPhoto: { photoCaptureInd: "Y", photoDispositionCode: "V", isNonPostalCodeCountry: false },
  });
});

test("a package is forgotten after 120 days", async () => {
  const [number = ""] = await ship();
  await ups.control("POST", "clock", { advanceMs: 121 * 24 * HOUR_MS });
  expect(await track(number, "", await ups.connect())).toBeUndefined();
  await ups.control("POST", "clock", { advanceMs: -121 * 24 * HOUR_MS });
});
