import { expect, test } from "vitest";
import { readCodes, shipBody, startTestUps } from "./test-kit.ts";

const ups = await startTestUps();
const acme = await ups.connect();
await ups.control("PATCH", "settings", { mode: "cie" });

const cancel = (id: string, numbers?: readonly string[]) =>
  acme(
    "DELETE",
    `shipments/v2409/void/cancel/${id}${numbers ? `?trackingnumber=${encodeURIComponent(JSON.stringify(numbers))}` : ""}`,
  );

test("the test environment masks the number, and keeps no shipments", async () => {
  const { body } = await acme(
    "POST",
    "shipments/v2409/ship",
    shipBody({ "LabelSpecification.LabelImageFormat.Code": "ZPL" }),
  );
  const results = body["ShipmentResponse"]!["ShipmentResults"]!;
  expect(results).toMatchObject({
    ShipmentIdentificationNumber: "1ZXXXXXXXXXXXXXXXX",
    PackageResults: [{ TrackingNumber: "1ZXXXXXXXXXXXXXXXX" }],
  });
  const label = Buffer.from(
    String(results["PackageResults"]![0]!["ShippingLabel"]!["GraphicImage"]),
    "base64",
  );
  expect(label.toString("latin1")).toContain("SAMPLE");
  expect(label.toString("latin1")).not.toContain("^BC");
  expect(readCodes(await cancel("1ZXXXXXXXXXXXXXXXX"))).toEqual(["190102"]);
});

test("voids have fixed outcomes by number", async () => {
  expect((await cancel("1Z2220060290602143")).body["VoidShipmentResponse"]).toMatchObject({
    SummaryResult: { Status: { Description: "Voided" } },
  });
  const partial = await cancel("1Z2220060290530202", ["1Z2220060293874210", "1Z2220060292634221"]);
  expect(partial.body["VoidShipmentResponse"]).toMatchObject({
    SummaryResult: { Status: { Description: "Partially Voided" } },
    PackageLevelResult: [{ Status: { Code: "1" } }, { Status: { Code: "0" } }],
  });
  const whole = await cancel("1ZISDE016691609089", ["1ZISDE016694068891", "1ZISDE016690889305"]);
  expect(whole.body["VoidShipmentResponse"]).toMatchObject({
    SummaryResult: { Status: { Description: "Voided" } },
  });
});

test("label recovery knows two numbers", async () => {
  const recover = async (number: string) =>
    acme("POST", "labels/v1/recovery", {
      LabelRecoveryRequest: {
        LabelSpecification: { LabelImageFormat: { Code: "PDF" } },
        TrackingNumber: number,
      },
    });
  const pdf = (await recover("1Z12345E8791315509")).body["LabelRecoveryResponse"]!["LabelResults"]![
    "LabelImage"
  ]!;
  expect(Buffer.from(String(pdf["GraphicImage"]), "base64").subarray(0, 5).toString()).toBe("%PDF-");
  const page = (await recover("1Z12345E8791315413")).body["LabelRecoveryResponse"]!["LabelResults"]![
    "LabelImage"
  ]!;
  expect(Buffer.from(String(page["HTMLImage"]), "base64").toString()).toContain("<img");
  expect(readCodes(await recover("1Z12345E8790000000"))).toEqual(["300007"]);
});

test("alerts accept only two numbers", async () => {
  const subscribe = (number: string) =>
    acme("POST", "track/v2/subscription/standard/package", { locale: "en_US", trackingNumberList: [number] });
  expect((await subscribe("1ZCIETST0111111114")).status).toBe(200);
  expect(readCodes(await subscribe("1Z1A2B3C0399999999"))).toEqual(["VSS215"]);
});
