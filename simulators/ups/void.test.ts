import { expect, test } from "vitest";
import type { Answer, Doc } from "../kit/test-call.ts";
import { packageBody, readCodes, readPackages, shipBody, startTestUps } from "./test-kit.ts";

const ups = await startTestUps();
const acme = await ups.connect();
const DAY_MS = 86_400_000;

/** Makes a shipment. @returns its tracking numbers; the first is its id */
async function ship(count = 1, changes: Record<string, unknown> = {}) {
  const body = shipBody(
    changes,
    Array.from({ length: count }, () => packageBody(changes["packages"] as Record<string, unknown>)),
  );
  const answer = await acme("POST", "shipments/v2409/ship", body);
  const packs = answer.body["ShipmentResponse"]!["ShipmentResults"]!["PackageResults"] as unknown as Doc[];
  return packs.map((pack) => String(pack["TrackingNumber"]));
}

const cancel = (id: string, numbers?: string, call = acme) =>
  call(
    "DELETE",
    `shipments/v2409/void/cancel/${id}${numbers === undefined ? "" : `?trackingnumber=${encodeURIComponent(numbers)}`}`,
  );
const reply = ({ body }: Answer) => body["VoidShipmentResponse"]!;
const scan = async (tracking: string) => ups.control("POST", "packages/advance", { tracking });

test("a whole shipment can be voided once", async () => {
  const [id = "", second = ""] = await ship(2);
  expect(reply(await cancel(id))).toEqual({
    Response: { ResponseStatus: { Code: "1", Description: "Success" } },
    SummaryResult: { Status: { Code: "1", Description: "Voided" } },
    PackageLevelResult: [
      { TrackingNumber: id, Status: { Code: "1", Description: "Voided" } },
      { TrackingNumber: second, Status: { Code: "1", Description: "Voided" } },
    ],
  });
  const again = await cancel(id);
  expect([again.status, readCodes(again)]).toEqual([400, ["190117"]]);
  const [pack] = readPackages(await acme("GET", `track/v1/details/${id}`));
  expect(pack!["activity"]![0]!["status"]).toMatchObject({ type: "MV", code: "VP", statusCode: "007" });
});

test("packages are voided by number or by array, twice without harm, and a single result is an object", async () => {
  const [id = "", second = "", third = ""] = await ship(3);
  expect(reply(await cancel(id, second))["PackageLevelResult"]).toEqual({
    TrackingNumber: second,
    Status: { Code: "1", Description: "Voided" },
  });
  expect(reply(await cancel(id, JSON.stringify([second, third])))["PackageLevelResult"]).toMatchObject([
    { Status: { Code: "1", Description: "Already Voided" } },
    { Status: { Code: "1", Description: "Voided" } },
  ]);
});

test("a scanned package is hidden behind a success; on its own it is refused", async () => {
  const [id = "", second = ""] = await ship(2);
  await scan(second);
  expect(reply(await cancel(id))).toMatchObject({
    SummaryResult: { Status: { Code: "1", Description: "Partially Voided" } },
    PackageLevelResult: [{ Status: { Code: "1" } }, { TrackingNumber: second, Status: { Code: "0" } }],
  });
  expect(readCodes(await cancel(id, second))).toEqual(["190110"]);
  const [other = ""] = await ship();
  await scan(other);
  expect(readCodes(await cancel(other))).toEqual(["190102"]);
});

test("wrong ids, lower case, other accounts and more than 20 packages are refused", async () => {
  const [id = ""] = await ship();
  expect(readCodes(await cancel(id.toLowerCase()))).toEqual(["190100"]);
  expect(readCodes(await cancel("1Z1A2B3C0399999999"))).toEqual(["190102"]);
  expect(readCodes(await cancel(id, undefined, await ups.connect("bay-shipping")))).toEqual(["190102"]);
  expect(readCodes(await cancel(id, "1Z1A2B3C0399999999"))).toEqual(["190109"]);
  expect(readCodes(await cancel(id, JSON.stringify(Array.from({ length: 21 }, () => id))))).toEqual([
    "190111",
  ]);
});

test("packages of an international shipment can only be voided together", async () => {
  const [id = ""] = await ship(1, {
    "Shipment.Service.Code": "08",
    "Shipment.ShipTo.Address": {
      AddressLine: ["1 King St"],
      City: "Toronto",
      PostalCode: "M5H1A1",
      CountryCode: "CA",
    },
    packages: { ReferenceNumber: undefined },
  });
  expect(readCodes(await cancel(id, id))).toEqual(["190113"]);
  expect((await cancel(id)).status).toBe(200);
});

test("values can end in the stray characters that UPS once sent", async () => {
  const [id = ""] = await ship();
  await ups.control("PATCH", "settings", { voidNoise: true });
  expect(reply(await cancel(id))["SummaryResult"]).toEqual({
    Status: { Code: "1&#xD;", Description: "Voided&#xD;" },
  });
  await ups.control("PATCH", "settings", { voidNoise: false });
});

test("28 days after the label it is too late to void, and after 180 days nothing is found", async () => {
  await ups.control("PATCH", "settings", { scenario: "never_scanned" });
  const [id = ""] = await ship();
  await ups.control("POST", "clock", { advanceMs: 29 * DAY_MS });
  const later = await ups.connect();
  expect(readCodes(await cancel(id, undefined, later))).toEqual(["190101"]);
  await ups.control("POST", "clock", { advanceMs: 160 * DAY_MS });
  expect(readCodes(await cancel(id, undefined, await ups.connect()))).toEqual(["190102"]);
});
