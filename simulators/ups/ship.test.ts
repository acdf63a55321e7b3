import { expect, test } from "vitest";
import type { Answer, Doc } from "../kit/test-call.ts";
import { OWN_ACCOUNT, packageBody, readCodes, shipBody, startTestUps } from "./test-kit.ts";

const ups = await startTestUps();
const acme = await ups.connect();
const ship = (body: unknown, version = "v2409", call = acme) =>
  call("POST", `shipments/${version}/ship`, body);
const results = ({ body }: Answer): Doc => body["ShipmentResponse"]!["ShipmentResults"]!;
const packagesIn = (answer: Answer) => results(answer)["PackageResults"] as unknown as Doc[];

test("three cartons become one shipment: numbers in order, charges of 0.00 when the retailer pays", async () => {
  const answer = await ship(shipBody({}, [packageBody(), packageBody(), packageBody()]));
  expect(answer.status).toBe(200);
  const numbers = packagesIn(answer).map((pack) => String(pack["TrackingNumber"]));
  expect(numbers).toHaveLength(3);
  expect(numbers.every((number) => /^1Z1A2B3C03\d{8}$/.test(number))).toBe(true);
  expect(results(answer)).toMatchObject({
    ShipmentIdentificationNumber: numbers[0],
    ShipmentCharges: { TotalCharges: { CurrencyCode: "USD", MonetaryValue: "0.00" } },
    BillingWeight: { UnitOfMeasurement: { Code: "LBS" }, Weight: "18.0" },
  });
  expect(answer.body["ShipmentResponse"]!["Response"]).toMatchObject({
    ResponseStatus: { Code: "1" },
    Alert: [],
    TransactionReference: {
      CustomerContext: "job-1",
      TransactionIdentifier: expect.stringMatching(/^.{22}$/),
    },
  });
  const label = packagesIn(answer)[0]!["ShippingLabel"]!;
  expect(label).toMatchObject({ ImageFormat: { Code: "GIF" } });
  expect(Buffer.from(String(label["HTMLImage"]), "base64").toString()).toContain('height="392" width="651"');
});

test("check digits match those of UPS's published number", async () => {
  const { buildTrackingNumber } = await import("./tracking-number.ts");
  expect(buildTrackingNumber("2873YY", "01", 3861599)).toBe("1Z2873YY0138615990");
});

test("the shipper's own account pays base, weight, fuel and home delivery; negotiated rates on request", async () => {
  const answer = await ship(
    shipBody({ ...OWN_ACCOUNT, "Shipment.ShipmentRatingOptions": { NegotiatedRatesIndicator: "" } }),
  );
  const charges = results(answer)["ShipmentCharges"]!;
  // 9.50 + 6 lb at 0.62, home delivery 6.10, fuel 18.5 % of both.
  expect(charges).toMatchObject({
    BaseServiceCharge: { MonetaryValue: "13.22" },
    TotalCharges: { MonetaryValue: "22.89" },
    ItemizedCharges: [
      { Code: "375", MonetaryValue: "3.57" },
      { Code: "270", MonetaryValue: "6.10" },
    ],
  });
  expect(results(answer)["NegotiatedRateCharges"]).toMatchObject({ TotalCharge: { MonetaryValue: "18.31" } });
});

test("alerts announce handling that UPS adds, and rates that are not shown", async () => {
  const answer = await ship(
    shipBody({ "Shipment.ShipmentRatingOptions": { NegotiatedRatesIndicator: "" } }, [
      packageBody({ "PackageWeight.Weight": "51" }),
    ]),
  );
  expect(answer.body["ShipmentResponse"]!["Response"]!["Alert"]).toMatchObject([
    { Code: "120900" },
    { Code: "129001" },
  ]);
});

test("versions below v2403 answer a single entry as an object", async () => {
  const answer = await ship(shipBody(), "v2205");
  expect(results(answer)["PackageResults"]).toMatchObject({ TrackingNumber: expect.any(String) });
  expect(Array.isArray(results(await ship(shipBody()))["PackageResults"])).toBe(true);
});

const third = (account: string, postal: string, country = "US") => ({
  "Shipment.PaymentInformation.ShipmentCharge": [
    {
      Type: "01",
      BillThirdParty: { AccountNumber: account, Address: { PostalCode: postal, CountryCode: country } },
    },
  ],
});
const pack = (changes: Record<string, unknown>) => ({ "Shipment.Package": [packageBody(changes)] });

test.each<[string, Record<string, unknown>, string[]]>([
  ["no shipper number", { "Shipment.Shipper.ShipperNumber": "" }, ["120100"]],
  ["a shipper number with a dash", { "Shipment.Shipper.ShipperNumber": "1A2-3C" }, ["120113"]],
  ["a shipper number of others", { "Shipment.Shipper.ShipperNumber": "012345" }, ["120120"]],
  ["a shipper name of 36 characters", { "Shipment.Shipper.Name": "x".repeat(36) }, ["120101"]],
  ["no consumer name", { "Shipment.ShipTo.Name": "" }, ["120200"]],
  [
    "an address line of 36 characters",
    { "Shipment.ShipTo.Address.AddressLine": ["x".repeat(36)] },
    ["120202"],
  ],
  ["four address lines", { "Shipment.ShipTo.Address.AddressLine": ["a", "b", "c", "d"] }, ["120204"]],
  ["no city", { "Shipment.ShipTo.Address.City": "" }, ["120205"]],
  ["an unknown state", { "Shipment.ShipTo.Address.StateProvinceCode": "ZZ" }, ["120206"]],
  ["a ZIP code with a dash", { "Shipment.ShipTo.Address.PostalCode": "30339-1234" }, ["120207"]],
  ["a short phone number", { "Shipment.ShipTo.Phone": { Number: "5550123" } }, ["120213"]],
  ["an empty phone number", { "Shipment.ShipTo.Phone": { Number: "" } }, ["120209"]],
  ["a ZIP code of another state", { "Shipment.ShipTo.Address.StateProvinceCode": "FL" }, ["120802"]],
  ["no payment", { "Shipment.PaymentInformation": undefined }, ["120400"]],
  ["no payer", { "Shipment.PaymentInformation.ShipmentCharge": [{ Type: "01" }] }, ["120410"]],
  [
    "two payers",
    {
      "Shipment.PaymentInformation.ShipmentCharge": [
        { Type: "01", BillShipper: { AccountNumber: "1A2B3C" }, ConsigneeBilledIndicator: "" },
      ],
    },
    ["120416"],
  ],
  ["an unknown third party", third("ABC123", "30339"), ["120412"]],
  ["a closed account", third("C105ED", "60601"), ["120413"]],
  [
    "a payer that is not the shipper",
    {
      "Shipment.PaymentInformation.ShipmentCharge": [
        { Type: "01", BillShipper: { AccountNumber: "012345" } },
      ],
    },
    ["120415"],
  ],
  ["another country of the third party", third("R9H77W", "30339", "CA"), ["120430"]],
  ["another ZIP code of the third party", third("R9H77W", "30338"), ["120437"]],
  ["an unknown service", { "Shipment.Service.Code": "99" }, ["120500"]],
  ["a service abroad", { "Shipment.Service.Code": "08" }, ["121210"]],
  [
    "Next Day Air Early without a phone",
    { "Shipment.Service.Code": "14", "Shipment.ShipTo.Phone": undefined },
    ["120213"],
  ],
  ["a reference on the shipment", { "Shipment.ReferenceNumber": [{ Code: "PO", Value: "1" }] }, ["120541"]],
  [
    "three references",
    pack({ ReferenceNumber: ["1", "2", "3"].map((Value) => ({ Code: "PO", Value })) }),
    ["120544"],
  ],
  [
    "a reference of 36 characters",
    pack({ ReferenceNumber: [{ Code: "PO", Value: "x".repeat(36) }] }),
    ["120603"],
  ],
  [
    "a barcode with a blank",
    pack({ ReferenceNumber: [{ Code: "PO", Value: "A 1", BarCodeIndicator: "" }] }),
    ["120607"],
  ],
  ["no packaging", pack({ Packaging: undefined }), ["120600"]],
  ["a weight of zero", pack({ "PackageWeight.Weight": "0" }), ["121030"]],
  ["a weight with two decimals", pack({ "PackageWeight.Weight": "5.25" }), ["120602"]],
  ["151 pounds", pack({ "PackageWeight.Weight": "151" }), ["121050"]],
  ["a length with a decimal", pack({ "Dimensions.Length": "9.5" }), ["120605"]],
  ["109 inches", pack({ "Dimensions.Length": "109" }), ["121055"]],
  [
    "length and girth over 165",
    pack({ "Dimensions.Length": "100", "Dimensions.Width": "17", "Dimensions.Height": "16" }),
    ["121056"],
  ],
  ["inches and kilograms", pack({ "PackageWeight.UnitOfMeasurement.Code": "KGS" }), ["120548"]],
  [
    "a signature without delivery confirmation",
    pack({ "PackageServiceOptions.DeliveryConfirmation.DCISType": "1" }),
    ["121100"],
  ],
  ["no label", { LabelSpecification: undefined }, ["120700"]],
  ["a label as PDF", { "LabelSpecification.LabelImageFormat.Code": "PDF" }, ["120701"]],
  ["no stock size", { "LabelSpecification.LabelStockSize": undefined }, ["120702"]],
  ["a stock of 7 inches", { "LabelSpecification.LabelStockSize.Height": "7" }, ["120703"]],
])("%s is refused with UPS's code", async (_name, changes, codes) => {
  const answer = await ship(shipBody(changes));
  expect([answer.status, readCodes(answer)]).toEqual([400, codes]);
});

test("units that differ between packages, two barcodes, and more than 200 packages are refused", async () => {
  const metric = packageBody({ "PackageWeight.UnitOfMeasurement.Code": "KGS" });
  expect(readCodes(await ship(shipBody({}, [packageBody(), metric])))).toEqual(["120528"]);
  const barred = packageBody({ ReferenceNumber: [{ Code: "PO", Value: "A1", BarCodeIndicator: "" }] });
  expect(readCodes(await ship(shipBody({}, [barred, barred])))).toEqual(["120543"]);
  const many = Array.from({ length: 201 }, () => packageBody());
  expect(readCodes(await ship(shipBody({}, many)))).toEqual(["120020"]);
});

test("several faults come in one answer, and no label is made", async () => {
  const before = (await ups.control("GET", "shipments"))["shipments"]!["length"];
  const answer = await ship(
    shipBody({
      "Shipment.ShipTo.Name": "",
      ...third("R9H77W", "10001"),
      ...pack({ "PackageWeight.Weight": "200" }),
    }),
  );
  expect(readCodes(answer)).toEqual(["120200", "120437", "121050"]);
  expect((await ups.control("GET", "shipments"))["shipments"]!["length"]).toEqual(before);
});

test("a login without accounts, or a call without a token, makes no label", async () => {
  expect(readCodes(await ship(shipBody(), "v2409", await ups.connect("no-account")))).toEqual(["120120"]);
  const bare = await fetch(`${ups.url}/api/shipments/v2409/ship`, { method: "POST", body: "{}" });
  expect(bare.status).toBe(401);
});

test("the street is not checked, the city is when the query asks", async () => {
  const body = shipBody({
    "Shipment.ShipTo.Address.City": "Savannah",
    "Shipment.ShipTo.Address.AddressLine": ["zzz"],
  });
  expect((await ship(body)).status).toBe(200);
  const strict = await acme("POST", "shipments/v2409/ship?additionaladdressvalidation=city", body);
  expect(readCodes(strict)).toEqual(["120802"]);
});

test("a label is made and the connection cut: one shipment, one call in the journal", async () => {
  await ups.control("POST", "faults", { fault: "drop_after", operation: "ship", times: 1 });
  const before = await ups.journal("ship");
  const lost = packageBody({ ReferenceNumber: [{ Code: "PO", Value: "LOST-1" }] });
  await expect(ship(shipBody({}, [lost]))).rejects.toThrow("fetch failed");
  const calls = (await ups.journal("ship")).slice(before.length);
  expect(calls).toMatchObject([{ method: "POST", status: 0, fault: "drop_after" }]);
  const shipments = (await ups.control("GET", "shipments"))["shipments"] as unknown as Doc[];
  expect(shipments.at(-1)!["packages"]).toMatchObject([{ references: [{ value: "LOST-1" }] }]);
});

test.each([
  ["rate_limit", 429, "10429", false],
  ["invalid_credentials", 401, "250002", false],
  ["server_error", 500, "10004", false],
  ["server_error_after", 500, "10004", true],
])("fault %s answers %i %s; the label is made: %s", async (fault, status, code, made) => {
  const count = async () => Number((await ups.control("GET", "shipments"))["shipments"]!["length"]);
  const before = await count();
  await ups.control("POST", "faults", { fault, operation: "ship", times: 1 });
  const answer = await ship(shipBody());
  expect([answer.status, readCodes(answer)]).toEqual([status, [code]]);
  expect((await count()) - before).toBe(made ? 1 : 0);
});

test("a call is refused with any requested code, before or after its work", async () => {
  const rule = { operation: "ship", times: 1, status: 500, code: "120001", message: "Try later" };
  await ups.control("POST", "faults", { ...rule, fault: "refusal_after" });
  const refused = await ship(shipBody());
  expect([refused.status, refused.body]).toEqual([
    500,
    { response: { errors: [{ code: "120001", message: "Try later" }] } },
  ]);
  await ups.control("POST", "faults", { ...rule, fault: "refusal", status: 400 });
  expect((await ship(shipBody())).status).toBe(400);
});

test("answers can be cut in half, hang after the work, or be slow", async () => {
  await ups.control("POST", "faults", { fault: "half_body", operation: "ship", times: 1 });
  await expect(ship(shipBody())).rejects.toThrow("terminated");
  await ups.control("POST", "faults", { fault: "hang_after", operation: "ship", times: 1, ms: 50 });
  await expect(ship(shipBody())).rejects.toThrow("fetch failed");
  await ups.control("POST", "faults", { fault: "latency", operation: "ship", times: 1, ms: 50 });
  expect((await ship(shipBody())).status).toBe(200);
});
