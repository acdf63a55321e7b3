import { expect, test } from "vitest";
import { readAcknowledgment } from "#formats/x12/acknowledgment.ts";
import { NotWritable } from "#formats/x12/not-writable.ts";
import { readInterchanges } from "#formats/x12/read-interchanges.ts";
import { nextCutOff } from "#features/orders/notices-out/rules.ts";
import { writeNotice } from "#features/orders/notices-out/write-notice.ts";
import type { Partner } from "#features/orders/partners/partner.ts";
import { retailer } from "#features/orders/partners/retailer.ts";
import type { CancelFacts, ShipFacts } from "#features/orders/notices-out/types.ts";
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

const WHOLE: CancelFacts = {
  reason: "discontinued",
  lines: null,
  canceledSoFar: [{ line: "1", quantity: "2", reason: "discontinued" }],
  isWhole: true,
  sequence: 0,
};

const write = (content: Order, facts: CancelFacts | ShipFacts = WHOLE, document: "855" | "856" = "855") =>
  writeNotice({
    document,
    content: { facts, dueAt: new Date("2026-11-27T01:00:00Z") },
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

const [first] = order.lines;
const lines = [first!, { ...first!, line: "2", quantity: "6" }, { ...first!, line: "3", quantity: "1" }];
const say = (facts: CancelFacts) => {
  const bytes = write({ ...order, lines }, facts);
  const [set] = [...readInterchanges(bytes)].flatMap((part) => (part.kind === "set" ? [part.set] : []));
  const read = set && readAcknowledgment(set);
  if (!read || !("document" in read)) throw new Error(bytes.toString());
  const { type, lines: said } = read.document;
  const named = said.map(({ statuses, references }) => [
    ...statuses.map(({ status, quantity }) => `${status} ${quantity}`),
    ...references.map(({ value }) => value),
  ]);
  return [type, ...named];
};

test("OI-14 each 855 of an order says all that is canceled so far, each piece with its reason", () => {
  const canceled = [{ line: "1", quantity: "2", reason: "discontinued" }];
  const facts = (reason: string, pieces: typeof canceled) => ({
    reason,
    lines: pieces.slice(-1),
    canceledSoFar: pieces,
    isWhole: false,
    sequence: pieces.length - 1,
  });
  expect(say(facts("discontinued", canceled))).toEqual(["AC", ["IR 2", "discontinued"], ["IA 6"], ["IA 1"]]);
  const two = [...canceled, { line: "2", quantity: "2", reason: "out_of_stock" }];
  const first2 = ["IR 2", "discontinued"];
  expect(say(facts("out_of_stock", two))).toEqual(["AC", first2, ["IA 4", "IR 2", "out_of_stock"], ["IA 1"]]);
  const rest = [
    { line: "2", quantity: "4", reason: "merchant_request" },
    { line: "3", quantity: "1", reason: "merchant_request" },
  ];
  expect(say({ ...facts("merchant_request", [...two, ...rest]), lines: rest, isWhole: true })).toEqual([
    "RD",
    first2,
    ["IR 6", "out_of_stock", "merchant_request"],
    ["IR 1", "merchant_request"],
  ]);
});

const SHIPPED: ShipFacts = {
  shipment: "1ZA",
  service: "03",
  cartons: [{ trackingNumber: "1ZA", weightLb: 2, contents: [{ line: "1", quantity: "2" }] }],
  lines: [{ line: "1", quantity: "2" }],
  shipFrom: { name: "Acme", lines: ["9 Wharf Road"], city: "Portland", state: "OR", zip: "97209" },
  vendorNumber: "",
};

test("OI-13 OI-14 notices name the store that an order is for, as the order does; the company's clock dates them", () => {
  const billing = {
    orderType: "SA",
    currency: "USD",
    terms: null,
    charges: [],
    parties: [{ kind: "ST", name: "Store 0412", idQualifier: "92", id: "0412" }],
    expectedTotal: "",
  };
  const ofStore = { ...order, billing };
  const cancelled = write(ofStore, WHOLE, "856").toString();
  const shipped = write(ofStore, SHIPPED, "856").toString();
  for (const text of [write(ofStore).toString(), cancelled, shipped])
    expect(text).toContain("\nN1*ST*Jane Doe*92*0412~\nN3*12 Main Street~\n");
  // It is 17:00 in Los Angeles, and the next day in the envelope, whose time is UTC.
  expect(write(order).toString()).toContain("\nBAK*00*RD*G-17*20261125*****20261126~\n");
  expect(cancelled).toContain("\nBSN*00*000000023*20261126*1700*0001~\n");
  expect(shipped).toMatch(/^ISA.*\*261127\*0100\*[\s\S]*\nBSN\*00\*1ZA\*20261126\*1700\*0001~\n/);
  // Without a store there is nothing to name.
  expect(write(order, WHOLE, "856").toString()).not.toContain("\nN1*");
  expect(write(order, SHIPPED, "856").toString()).toContain("\nN1*ST*Jane Doe~\n");
});

test("a number that X12 can't hold is never truncated to fit", () => {
  expect(() => write({ ...order, poNumber: "G*17" })).toThrow(NotWritable);
  expect(() => write({ ...order, poNumber: "1".repeat(35) })).toThrow(NotWritable);
});

test("OI-13 a text that is cut to fit never ends in half a character", () => {
  const lines = order.lines.map((each) => ({ ...each, description: `${"x".repeat(79)}😀 faucet` }));
  expect(write({ ...order, lines }, SHIPPED, "856").toString()).toContain(`\nPID*F****${"x".repeat(79)}~\n`);
});

test("the next cutoff follows the company's local time, even across daylight-saving changes", () => {
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
