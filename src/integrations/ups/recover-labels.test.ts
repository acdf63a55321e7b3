import { expect, test } from "vitest";
import { answerCalls, refusal, type Scripted } from "#integrations/ups/fixtures/answer-calls.ts";
import { toRecoverRequest } from "#integrations/ups/recover-labels.ts";

const ID = "1Z1A2B3C0300000017";
const OTHER = "1Z1A2B3C0300000026";
const GIF = Buffer.from("GIF89a and more");
const query = { reference: "PO-7001", account: "1A2B3C" };

const reply = (fields: object): Scripted => ({ json: { LabelRecoveryResponse: fields } });
const label = (code: string, image: string) => ({
  LabelImageFormat: { Code: code },
  GraphicImage: image,
});

test("labels are requested by a number, or by a reference with the account", () => {
  expect(toRecoverRequest({ trackingNumber: ID.toLowerCase() }, "PDF")).toEqual({
    LabelRecoveryRequest: {
      Request: { SubVersion: "1903" },
      LabelSpecification: {
        LabelImageFormat: { Code: "PDF" },
        HTTPUserAgent: "Mozilla/4.5",
        LabelStockSize: { Height: "6", Width: "4" },
      },
      Translate: { LanguageCode: "eng", DialectCode: "US", Code: "01" },
      TrackingNumber: ID,
    },
  });
  expect(toRecoverRequest(query, "ZPL")).toMatchObject({
    LabelRecoveryRequest: {
      ReferenceValues: { ReferenceNumber: { Value: "PO-7001" }, ShipperNumber: "1A2B3C" },
    },
  });
});

test("a shipment's labels come back with their numbers; one in an unsupported format is only named", async () => {
  await using canned = await answerCalls(
    reply({
      ShipmentIdentificationNumber: ID,
      LabelResults: [
        { TrackingNumber: ID, LabelImage: label("gif", GIF.toString("base64")) },
        { TrackingNumber: OTHER, LabelImage: { HTMLImage: "PGh0bWw+" } },
      ],
    }),
    reply({
      LabelResults: {
        TrackingNumber: `${ID}&#xD;`,
        LabelImage: label("zpl", Buffer.from("\n^XA\r\n").toString("base64")),
      },
    }),
  );
  expect(await canned.ups.recoverLabels("access-1", query, "GIF")).toEqual({
    state: "found",
    shipmentId: ID,
    packages: [
      { trackingNumber: ID, label: { format: "GIF", bytes: GIF } },
      { trackingNumber: OTHER, label: null },
    ],
  });
  expect(await canned.ups.recoverLabels("access-1", { trackingNumber: ID }, "ZPL")).toMatchObject({
    state: "found",
    shipmentId: ID,
    packages: [{ trackingNumber: ID, label: { format: "ZPL" } }],
  });
});

test.each<[object, Scripted]>([
  [
    { state: "candidates", candidates: [{ trackingNumber: ID, zip: "83702", country: "US" }] },
    reply({
      TrackingCandidate: {
        TrackingNumber: ID,
        DestinationPostalCode: 83702,
        DestinationCountryCode: "US",
        PickupDateRange: { BeginDate: "20261126", EndDate: "20261126" },
      },
    }),
  ],
  [{ state: "candidates", candidates: [] }, refusal("300035")],
  [{ state: "candidates", candidates: [] }, refusal("300001")],
  [{ state: "none", reason: "unknown" }, refusal("300007")],
  [{ state: "none", reason: "voided" }, refusal(300_033)],
  [{ state: "none", reason: "expired" }, refusal("300006")],
  [{ state: "none", reason: "delivered" }, refusal("300002")],
])("UPS's code says what was found: %o", async (found, answer) => {
  await using canned = await answerCalls(answer);
  expect(await canned.ups.recoverLabels("access-1", query, "GIF")).toEqual(found);
});

test.each<[string, Scripted]>([
  ["refused", refusal("300003")],
  ["uncertain", refusal("300007", 500)],
  ["uncertain", reply({ Response: {} })],
  ["uncertain", (response) => response.writeHead(404).end("not found")],
])("an answer that doesn't say whether there are labels is %s", async (kind, answer) => {
  await using canned = await answerCalls(answer);
  await expect(canned.ups.recoverLabels("access-1", query, "GIF")).rejects.toMatchObject({ kind });
});
