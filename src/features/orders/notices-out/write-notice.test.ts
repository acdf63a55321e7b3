import { expect, test } from "vitest";
import { readAcknowledgment } from "#formats/x12/acknowledgment.ts";
import { NotWritable } from "#formats/x12/not-writable.ts";
import { readInterchanges } from "#formats/x12/read-interchanges.ts";
import { nextCutOff } from "#features/orders/notices-out/rules.ts";
import { writeNotice } from "#features/orders/notices-out/write-notice.ts";
import type { Partner } from "#features/orders/partners/partner.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import type { Order } from "#features/orders/types.ts";

/** Another retailer, which takes cancellations as 855 in release 4010. */
const gardens: Partner = {
  ...retailer,
  id: "gardens",
  notices: { cancel: "855", ship: null },
  x12: { qualifier: "12", id: "5035550100", version: "004010" },
};

const order: Order = {
  poNumber: "G-17",
  customerOrder: "",
  orderDate: "2026-11-25",
  shipBy: null,
  cancelAfter: null,
  shipTo: {
    name: "Jane Doe",
    attention: "",
    lines: ["12 Main Street"],
    city: "Reno",
    state: "NV",
    zip: "89506",
    country: "US",
    phone: "",
  },
  serviceCode: "",
  references: [],
  giftMessage: "",
  vendorMessage: "",
  lines: [
    {
      line: "1",
      buyerSku: "",
      vendorSku: "",
      upc: "",
      description: "Faucet",
      quantity: "2",
      unit: "",
      unitCost: "9.5",
    },
  ],
};

const write = (content: Order) =>
  writeNotice({
    document: "855",
    content: {
      facts: { reason: "discontinued", lines: null, isWhole: true, turn: 0 },
      dueAt: new Date("2026-11-27T01:00:00Z"),
    },
    order: { content, trading: null },
    partner: gardens,
    isLast: false,
    settings: { cut_off: "17:00", sender_id: "ACME" },
    controlNumber: 23,
    timeZone: "America/Los_Angeles",
    now: new Date("2026-11-27T01:00:05Z"),
  });

test("OI-14 a second retailer's cancellation is an 855 in its own release, under its own name", () => {
  const bytes = write(order);
  expect(bytes.toString()).toMatch(
    /^ISA\*00\* {10}\*00\* {10}\*ZZ\*ACME {11}\*12\*5035550100 {5}\*261127\*0100\*U\*00401\*000000023\*0\*P\*>~\nGS\*PR\*ACME\*5035550100\*20261127\*0100\*23\*X\*004010~/,
  );
  const [set] = [...readInterchanges(bytes)].flatMap((part) => (part.kind === "set" ? [part.set] : []));
  expect(set && readAcknowledgment(set)).toMatchObject({
    document: {
      type: "RD",
      number: "G-17",
      lines: [
        {
          quantity: "2",
          unit: "EA",
          ids: [{ qualifier: "PL", value: "1" }],
          references: [{ qualifier: "ZZ", value: "discontinued", description: "Discontinued" }],
          statuses: [{ status: "IR", quantity: "2" }],
        },
      ],
    },
  });
});

test("a number that X12 can't hold is never truncated to fit", () => {
  expect(() => write({ ...order, poNumber: "G*17" })).toThrow(NotWritable);
  expect(() => write({ ...order, poNumber: "1".repeat(35) })).toThrow(NotWritable);
});

test("the next cut-off follows the company's local time, even across daylight-saving changes", () => {
  const next = (now: string, cutOff = "17:00", timeZone = "America/New_York") =>
    nextCutOff(new Date(now), cutOff, timeZone).toISOString();
  expect(next("2026-11-26T21:59:59Z")).toBe("2026-11-26T22:00:00.000Z");
  expect(next("2026-11-26T22:00:00Z")).toBe("2026-11-27T22:00:00.000Z");
  expect(next("2026-11-27T02:00:00Z", "17:00", "America/Los_Angeles")).toBe("2026-11-28T01:00:00.000Z");
  // Clocks go back on November 1 and forward on March 14, at two.
  expect(next("2026-10-31T22:00:00Z")).toBe("2026-11-01T22:00:00.000Z");
  expect(next("2027-03-13T22:30:00Z")).toBe("2027-03-14T21:00:00.000Z");
  // In the last hour before the day of 23 hours, and of that day.
  expect(next("2027-03-14T04:30:00Z")).toBe("2027-03-14T21:00:00.000Z");
  expect(next("2027-03-15T03:30:00Z")).toBe("2027-03-15T21:00:00.000Z");
  expect(next("2026-11-01T03:30:00Z")).toBe("2026-11-01T22:00:00.000Z");
  expect(next("2027-03-14T05:00:00Z", "02:30")).toBe("2027-03-14T07:30:00.000Z");
  expect(next("2026-11-26T00:00:00Z", "08:00", "Asia/Kolkata")).toBe("2026-11-26T02:30:00.000Z");
});
