import { expect, test } from "vitest";
import type * as z from "zod";
import { shipReply } from "#integrations/ups/fixtures/shipments.ts";
import { readFaults } from "#integrations/ups/classify.ts";
import { recoverAnswer } from "#integrations/ups/recover-labels.ts";
import { shipAnswer } from "#integrations/ups/ship.ts";
import { trackAnswer } from "#integrations/ups/track-answer.ts";
import { addressAnswer } from "#integrations/ups/validate-address.ts";
import { voidAnswer } from "#integrations/ups/void-shipment.ts";

const NUMBERS = ["1Z1A2B3C0300000017", "1Z1A2B3C0300000026"];
const GIF = Buffer.from("GIF89a, or what begins like one").toString("base64");

const REPLIES: Record<string, [z.ZodType, object]> = {
  ship: [shipAnswer, shipReply(NUMBERS)],
  void: [
    voidAnswer,
    {
      VoidShipmentResponse: {
        Response: { ResponseStatus: { Code: "1", Description: "Success" } },
        SummaryResult: { Status: { Code: "1", Description: "Voided" } },
        PackageLevelResult: NUMBERS.map((TrackingNumber) => ({
          TrackingNumber,
          Status: { Code: "1", Description: "Voided" },
        })),
      },
    },
  ],
  recovery: [
    recoverAnswer,
    {
      LabelRecoveryResponse: {
        ShipmentIdentificationNumber: NUMBERS[0],
        LabelResults: NUMBERS.map((TrackingNumber) => ({
          TrackingNumber,
          LabelImage: { LabelImageFormat: { Code: "gif" }, GraphicImage: GIF },
        })),
      },
    },
  ],
  track: [
    trackAnswer,
    {
      trackResponse: {
        shipment: [
          {
            package: NUMBERS.map((trackingNumber) => ({
              trackingNumber,
              activity: [
                { date: "20261127", time: "093000", status: { type: "D", code: "FS", statusCode: "011" } },
              ],
              currentStatus: { code: "011" },
              deliveryDate: [{ type: "DEL", date: "20261127" }],
              deliveryInformation: { location: "DOCK", signature: { image: GIF }, pod: { content: GIF } },
              referenceNumber: [{ type: "PO", number: "PO-7001" }],
            })),
          },
        ],
      },
    },
  ],
  address: [
    addressAnswer,
    {
      XAVResponse: {
        AmbiguousAddressIndicator: "",
        AddressClassification: { Code: "2" },
        Candidate: [
          {
            AddressKeyFormat: {
              AddressLine: ["34 ELM AVE"],
              PoliticalDivision2: "BOISE",
              PostcodePrimaryLow: "83702",
            },
          },
        ],
      },
    },
  ],
};

const STAND_INS = [undefined, null, "", 0, [], {}, "Gateway Timeout", [null], { "": "" }];

/** The reply many times, with one part after another replaced by each stand-in. */
function* damage(part: unknown): Generator<unknown> {
  yield* STAND_INS;
  if (typeof part !== "object" || part === null) return;
  for (const [name, value] of Object.entries(part))
    for (const other of damage(value))
      yield Array.isArray(part) ? part.with(Number(name), other) : { ...part, [name]: other };
}

test.each(Object.entries(REPLIES))(
  "whatever part of an answer to %s is missing, it is read or refused, and nothing breaks",
  (_name, [schema, reply]) => {
    let [read, refused] = [0, 0];
    for (const damaged of damage(reply)) {
      if (schema.safeParse(damaged).success) read += 1;
      else refused += 1;
      expect(readFaults(damaged, 400)).toBeNull();
    }
    expect(Math.min(read, refused)).toBeGreaterThan(5);
  },
);

test("labels are never mixed up or invented: a damaged answer has the whole one's numbers and labels, or fewer packages, or is none", () => {
  const whole = shipAnswer.parse(shipReply(NUMBERS)).packages;
  const known = new Set(whole.map((each) => JSON.stringify(each)));
  for (const damaged of damage(shipReply(NUMBERS))) {
    const { data } = shipAnswer.safeParse(damaged);
    if (!data) continue;
    expect(data.packages.every((each) => known.has(JSON.stringify(each)))).toBe(true);
    expect(data.packages.length).toBeLessThanOrEqual(2);
    expect(data.shipmentId).toBe(NUMBERS[0]);
  }
});

test("a package is never taken as voided unless the answer says so", () => {
  const [, reply] = REPLIES.void ?? expect.unreachable();
  for (const damaged of damage(reply)) {
    const { data } = voidAnswer.safeParse(damaged);
    if (data)
      expect(
        data.packages
          .filter(({ isVoided }) => isVoided)
          .every(({ trackingNumber }) => NUMBERS.includes(trackingNumber)),
      ).toBe(true);
  }
});
