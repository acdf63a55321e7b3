import { PDFDocument } from "pdf-lib";
import { expect, test } from "vitest";
import type { Answer, Doc } from "../kit/test-call.ts";
import { packageBody, readCodes, shipBody, startTestUps } from "./test-kit.ts";

const ups = await startTestUps();
const acme = await ups.connect();

async function ship(po: string, count = 1) {
  const pack = packageBody({ ReferenceNumber: [{ Code: "PO", Value: po }] });
  const answer = await acme(
    "POST",
    "shipments/v2409/ship",
    shipBody(
      {},
      Array.from({ length: count }, () => pack),
    ),
  );
  return (answer.body["ShipmentResponse"]!["ShipmentResults"]!["PackageResults"] as unknown as Doc[]).map(
    (each) => ({
      number: String(each["TrackingNumber"]),
      image: String(each["ShippingLabel"]!["GraphicImage"]),
    }),
  );
}

const recover = (search: object, format = "GIF", call = acme) =>
  call("POST", "labels/v1/recovery", {
    LabelRecoveryRequest: { LabelSpecification: { LabelImageFormat: { Code: format } }, ...search },
  });
const byReference = (value: string, shipper = "1A2B3C") => ({
  ReferenceValues: { ReferenceNumber: { Value: value }, ShipperNumber: shipper },
});
const found = ({ body }: Answer) => body["LabelRecoveryResponse"]!;

test("a label is recovered by number and by reference, byte for byte; codes are in lower case", async () => {
  const [made] = await ship("PO-1");
  const expected = {
    ShipmentIdentificationNumber: made!.number,
    LabelResults: {
      TrackingNumber: made!.number,
      LabelImage: { LabelImageFormat: { Code: "gif" }, GraphicImage: made!.image },
    },
  };
  expect(found(await recover({ TrackingNumber: made!.number }))).toMatchObject(expected);
  expect(found(await recover(byReference("PO-1")))).toMatchObject(expected);
});

test("a shipment of several packages is recovered whole, also in another format", async () => {
  const made = await ship("PO-2", 2);
  const answer = found(await recover({ TrackingNumber: made[1]!.number }, "ZPL"));
  expect(answer["LabelResults"]).toMatchObject(made.map(({ number }) => ({ TrackingNumber: number })));
  const image = String(answer["LabelResults"]![1]!["LabelImage"]!["GraphicImage"]);
  expect(Buffer.from(image, "base64").toString()).toContain(made[1]!.number);
});

test("several matches are returned as candidates, without voided ones; a voided one on its own is refused as voided", async () => {
  const [first] = await ship("PO-3");
  const [second] = await ship("PO-3");
  expect(found(await recover(byReference("PO-3")))["TrackingCandidate"]).toMatchObject([
    { TrackingNumber: first!.number, DestinationPostalCode: "303391234", DestinationCountryCode: "US" },
    { TrackingNumber: second!.number },
  ]);
  await acme("DELETE", `shipments/v2409/void/cancel/${first!.number}`);
  expect(found(await recover(byReference("PO-3")))["ShipmentIdentificationNumber"]).toEqual(second!.number);
  await acme("DELETE", `shipments/v2409/void/cancel/${second!.number}`);
  expect(readCodes(await recover(byReference("PO-3")))).toEqual(["300033"]);
});

test("a search for nothing, or for what is unknown, of another account or not yet processed, is refused", async () => {
  const [made] = await ship("PO-4");
  expect(readCodes(await recover({}))).toEqual(["300005"]);
  expect(readCodes(await recover({ TrackingNumber: "1Z1A2B3C0399999999" }))).toEqual(["300007"]);
  expect(readCodes(await recover(byReference("PO-4", "012345")))).toEqual(["300007"]);
  const bay = await ups.connect("bay-shipping");
  expect(readCodes(await recover({ TrackingNumber: made!.number }, "GIF", bay))).toEqual(["300007"]);
  await ups.control("PATCH", "settings", { recoveryDelayMs: 60_000 });
  const [late] = await ship("PO-5");
  expect(readCodes(await recover(byReference("PO-5")))).toEqual(["300007"]);
  await ups.control("POST", "clock", { advanceMs: 60_000 });
  expect(found(await recover(byReference("PO-5")))["ShipmentIdentificationNumber"]).toEqual(late!.number);
  await ups.control("PATCH", "settings", { recoveryDelayMs: 0 });
});

test("a link to a label is included on request", async () => {
  const [made] = await ship("PO-7");
  const search = { TrackingNumber: made!.number, LabelDelivery: { LabelLinkIndicator: "" } };
  const image = found(await recover(search))["LabelResults"]!["LabelImage"]!;
  expect(image["URL"]).toEqual(`${ups.url}/labels/${made!.number}`);
  expect((await fetch(String(image["URL"]))).status).toBe(200);
});

test("as PDF, all labels come in one file, with the first package", async () => {
  const made = await ship("PO-6", 2);
  const answer = found(await recover({ TrackingNumber: made[0]!.number }, "PDF"));
  const [first, second] = answer["LabelResults"] as unknown as Doc[];
  expect(first!["LabelImage"]).toMatchObject({ LabelImageFormat: { Code: "pdf" } });
  expect(second).toEqual({ TrackingNumber: made[1]!.number });
  const pdf = await PDFDocument.load(Buffer.from(String(first!["LabelImage"]!["GraphicImage"]), "base64"));
  expect(pdf.getPages().map((page) => page.getSize())).toEqual([
    { width: 288, height: 432 },
    { width: 288, height: 432 },
  ]);
});
