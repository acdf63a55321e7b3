import { expect, test } from "vitest";
import { answerCalls, refusal, type Scripted } from "#integrations/ups/fixtures/answer-calls.ts";
import { ACCOUNT, shipment, shipReply } from "#integrations/ups/fixtures/shipments.ts";
import { shipAnswer, toShipRequest } from "#integrations/ups/ship.ts";

const NUMBERS = ["1Z1A2B3C0300000017", "1Z1A2B3C0300000026"];
const GIF = Buffer.from("GIF89a, or what begins like one");

test("a shipment is sent as UPS reads it: whole inches, one decimal, digits, one payer and references by package", () => {
  expect(toShipRequest(shipment())).toEqual({
    ShipmentRequest: {
      Request: { RequestOption: "nonvalidate", SubVersion: "2205" },
      Shipment: {
        Shipper: {
          Name: "Acme Goods",
          ShipperNumber: ACCOUNT,
          Phone: { Number: "7755550100" },
          Address: {
            AddressLine: ["12 Dock Street"],
            City: "Reno",
            StateProvinceCode: "NV",
            PostalCode: "89502",
            CountryCode: "US",
          },
        },
        ShipTo: {
          Name: "Pat Example",
          Address: {
            AddressLine: ["34 Elm Avenue", "Apt 5"],
            City: "Boise",
            StateProvinceCode: "ID",
            PostalCode: "837021234",
            CountryCode: "US",
            ResidentialAddressIndicator: "Y",
          },
        },
        PaymentInformation: {
          ShipmentCharge: [
            {
              Type: "01",
              BillThirdParty: {
                AccountNumber: "9Z8Y7X",
                Address: { PostalCode: "303390001", CountryCode: "US" },
              },
            },
          ],
        },
        Service: { Code: "03" },
        Package: [
          {
            Packaging: { Code: "02" },
            Dimensions: { UnitOfMeasurement: { Code: "IN" }, Length: "16", Width: "10", Height: "8" },
            PackageWeight: { UnitOfMeasurement: { Code: "LBS" }, Weight: "12.4" },
            ReferenceNumber: [{ Code: "PO", Value: "PO-7001" }],
          },
          {
            Packaging: { Code: "02" },
            Dimensions: { UnitOfMeasurement: { Code: "IN" }, Length: "4", Width: "4", Height: "4" },
            PackageWeight: { UnitOfMeasurement: { Code: "LBS" }, Weight: "0.3" },
          },
        ],
      },
      LabelSpecification: {
        LabelImageFormat: { Code: "GIF" },
        HTTPUserAgent: "Mozilla/4.5",
        LabelStockSize: { Height: "6", Width: "4" },
      },
    },
  });
});

test("TD-20 a signature is requested of each package within the US, and of the shipment to another country", () => {
  type Sent = { ShipmentRequest: { Shipment: { Package: object[] } } };
  const sent = (country: string) => {
    const { shipTo } = shipment();
    const address = { ...shipTo.address, country };
    const whole = toShipRequest(shipment({ needsSignature: true, shipTo: { ...shipTo, address } })) as Sent;
    const { Package: packages, ...rest } = whole.ShipmentRequest.Shipment;
    return [packages, rest];
  };
  const ofPackage = { PackageServiceOptions: { DeliveryConfirmation: { DCISType: "2" } } };
  const ofShipment = { ShipmentServiceOptions: { DeliveryConfirmation: { DCISType: "1" } } };
  for (const country of ["US", "PR"])
    expect(sent(country)).toMatchObject([[ofPackage, ofPackage], expect.not.objectContaining(ofShipment)]);
  expect(sent("CA")).toMatchObject([
    [expect.not.objectContaining(ofPackage), expect.not.objectContaining(ofPackage)],
    ofShipment,
  ]);
});

test("a shipper who pays is the only payer, and its own prices are requested", () => {
  const { ShipmentRequest } = toShipRequest(shipment({ billing: { mode: "shipper" } })) as {
    ShipmentRequest: { Shipment: object };
  };
  expect(ShipmentRequest.Shipment).toMatchObject({
    PaymentInformation: { ShipmentCharge: [{ Type: "01", BillShipper: { AccountNumber: ACCOUNT } }] },
    ShipmentRatingOptions: { NegotiatedRatesIndicator: "Y" },
  });
});

test("between two countries, references belong to the shipment, each once", () => {
  const base = shipment();
  const address = { lines: ["1 Main"], city: "Toronto", state: "ON", zip: "M5V 2T6", country: "CA" };
  const references = [{ code: "PO", value: "PO-7001" }];
  const packages = base.packages.map((each) => ({ ...each, references }));
  const { ShipmentRequest } = toShipRequest({ ...base, packages, shipTo: { ...base.shipTo, address } }) as {
    ShipmentRequest: { Shipment: { ReferenceNumber: object; Package: object[] } };
  };
  expect(ShipmentRequest.Shipment.ReferenceNumber).toEqual([{ Code: "PO", Value: "PO-7001" }]);
  expect(ShipmentRequest.Shipment.Package.some((each) => "ReferenceNumber" in each)).toBe(false);
});

test("an answer gives labels in the order of the packages and prices as decimal text", () => {
  expect(shipAnswer.parse(shipReply(NUMBERS))).toEqual({
    shipmentId: NUMBERS[0],
    packages: NUMBERS.map((trackingNumber) => ({ trackingNumber, label: { format: "GIF", bytes: GIF } })),
    charges: { total: "0.00", currency: "USD" },
    negotiated: { total: "18.50", currency: "USD" },
  });
});

test("lists as objects, amounts as numbers, stray characters in numbers, and missing prices change nothing", () => {
  const [number = ""] = NUMBERS;
  const reply = shipReply([number]);
  const { ShipmentResults } = reply.ShipmentResponse;
  const [result] = ShipmentResults.PackageResults;
  const answer = shipAnswer.parse({
    ShipmentResponse: {
      ShipmentResults: {
        ShipmentIdentificationNumber: `${number.toLowerCase()}&#xD;`,
        PackageResults: { ...result, TrackingNumber: `${number}\r` },
        ShipmentCharges: {
          TotalCharges: { CurrencyCode: "USD", MonetaryValue: 11.5 },
          TotalChargesWithTaxes: { CurrencyCode: "USD", MonetaryValue: 12.5 },
        },
        NegotiatedRateCharges: "",
      },
    },
  });
  expect(answer).toMatchObject({
    shipmentId: number,
    packages: [{ trackingNumber: number, label: { format: "GIF" } }],
    charges: { total: "12.50", currency: "USD" },
    negotiated: null,
  });
});

const html: Scripted = (response) => response.writeHead(400).end("<html><body>Blocked</body></html>");

test.each<[string, string, Scripted]>([
  ["a refusal in UPS's own words", "refused", refusal("120206")],
  [
    "a refusal whose only error is not a list, and whose code is a number",
    "refused",
    { status: 400, json: { response: { errors: { code: 120206, message: "State" } } } },
  ],
  [
    "a refusal without its envelope, as UPS's documents draw it",
    "refused",
    { status: 400, json: { errors: [{ code: "120100", message: "Missing or invalid shipper number" }] } },
  ],
  [
    "a gateway's errors without an envelope",
    "uncertain",
    { status: 400, json: { errors: [{ code: "403", message: "Forbidden" }] } },
  ],
  [
    "errors without an envelope at another status",
    "uncertain",
    { status: 403, json: { errors: [{ code: "120100", message: "Missing or invalid shipper number" }] } },
  ],
  ["an expired token", "auth", refusal("250002", 401)],
  ["too many requests", "throttled", refusal("10429", 429)],
  ["a temporary failure, which UPS sends as a refusal", "uncertain", refusal("120001")],
  ["a failure of UPS's own", "uncertain", refusal("120206", 500)],
  ["a proxy's page", "uncertain", html],
  ["a refusal without any error", "uncertain", { status: 400, json: { response: { errors: [] } } }],
  ["a gateway's refusal", "uncertain", { status: 401, json: { message: "Unauthorized" } }],
  ["an empty answer", "uncertain", (response) => response.writeHead(200).end()],
  [
    "half an answer",
    "uncertain",
    (response) => response.writeHead(200).end(JSON.stringify(shipReply(NUMBERS)).slice(0, 300)),
  ],
  ["an answer with a package missing", "uncertain", { json: shipReply(NUMBERS.slice(0, 1)) }],
  [
    "an answer without a label",
    "uncertain",
    { json: shipReply(NUMBERS, { PackageResults: NUMBERS.map((TrackingNumber) => ({ TrackingNumber })) }) },
  ],
  [
    "an invalid label",
    "uncertain",
    {
      json: shipReply(NUMBERS, {
        PackageResults: NUMBERS.map((TrackingNumber) => ({
          TrackingNumber,
          ShippingLabel: { GraphicImage: "bm90IGEgcGljdHVyZQ==" },
        })),
      }),
    },
  ],
  ["a connection that is cut after the request", "uncertain", (response) => response.destroy()],
])("%s is %s", async (_name, kind, answer) => {
  await using canned = await answerCalls(answer);
  await expect(canned.ups.ship("access-1", shipment())).rejects.toMatchObject({ kind });
  expect(canned.requests).toHaveLength(1);
  const [{ method, url, headers }] = canned.requests as [(typeof canned.requests)[0]];
  expect([method, url.pathname]).toEqual(["POST", "/api/shipments/v2409/ship"]);
  expect(headers).toMatchObject({ authorization: "Bearer access-1", transactionsrc: "dockside" });
  expect(headers.transid).toMatch(/^[0-9a-f]{32}$/);
});

test("a refusal keeps UPS's words for users, cleaned, and names codes only where logs see them", async () => {
  const json = { response: { errors: [{ code: "1202&#xD;06", message: "Missing or invalid&#xD; state" }] } };
  await using canned = await answerCalls({ status: 400, json });
  const error = await canned.ups.ship("access-1", shipment()).catch((each: unknown) => each);
  expect(error).toMatchObject({
    faults: [{ code: "120206", message: "Missing or invalid state" }],
    message: "UPS answered 400: code 120206 (refused)",
  });
});

test("a call that never reached UPS was not made", async () => {
  const canned = await answerCalls(() => undefined);
  await canned.close();
  await expect(canned.ups.ship("access-1", shipment())).rejects.toMatchObject({ kind: "network" });
});
