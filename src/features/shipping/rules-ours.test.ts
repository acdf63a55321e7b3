import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compare,
  deriveReference,
  FACTS,
  isProductReference,
  decideOurs,
  OURS,
  type OursEvidence,
  type Verdict,
} from "#features/shipping/rules-ours.ts";
import { shipment } from "#integrations/ups/fixtures/shipments.ts";
import { printOurs, WRITES_FILE } from "../../../test/support/rules/print-writes.ts";

const ALL = { consignee: true, packages: true, service: true, weights: true, time: true };
const stranger: OursEvidence = {
  isVoided: false,
  isHeld: false,
  isDenied: false,
  isNamed: false,
  hasTwin: false,
  reference: "none",
  agrees: { ...ALL, weights: false },
};

const CASES: [what: string, evidence: OursEvidence, verdict: Verdict, row: number][] = [
  ["a voided one", { ...stranger, isVoided: true, reference: "own", agrees: ALL }, "no", 0],
  ["another purchase's", { ...stranger, isHeld: true, reference: "own", agrees: ALL }, "no", 1],
  ["one with another purchase's reference", { ...stranger, reference: "other", agrees: ALL }, "no", 2],
  ["one that a user denied", { ...stranger, isDenied: true, agrees: ALL }, "no", 3],
  ["one that UPS named in its answer", { ...stranger, isNamed: true }, "surely", 4],
  ["one with our reference", { ...stranger, reference: "own", agrees: { ...ALL, time: false } }, "surely", 5],
  ["one that equals the purchase", { ...stranger, agrees: ALL }, "surely", 6],
  ["one of two that equal the purchase", { ...stranger, hasTwin: true, agrees: ALL }, "possibly", 7],
  ["one with our reference and other weights", { ...stranger, reference: "own" }, "possibly", 7],
  [
    "one of this product for a purchase that is not known here",
    { ...stranger, reference: "unknown", agrees: ALL },
    "possibly",
    7,
  ],
  [
    "one that UPS named, with voided packages",
    { ...stranger, isNamed: true, agrees: { ...ALL, packages: false } },
    "possibly",
    7,
  ],
  ["one with other weights", stranger, "possibly", 7],
  ["one of unknown weights", { ...stranger, agrees: { ...ALL, weights: null } }, "possibly", 7],
];

test.each(CASES)("UO-01 %s is decided by its row of the table", (_, evidence, verdict, row) => {
  expect([decideOurs(evidence), OURS.findIndex((rule) => rule.holds(evidence))]).toEqual([verdict, row]);
});

/** A shipment to a consignee whose label prints some lines. */
const consignee = (name: string, texts: readonly string[]) => {
  const { shipTo, ...rest } = shipment();
  const address = { ...shipTo.address, lines: ["12 Main Street"], zip: "89506" };
  const span = { from: new Date(0), to: new Date(1) };
  return compare(
    { ...rest, shipTo: { ...shipTo, name, address } },
    { numbers: ["1Z"], isWhole: true, texts, packages: [] },
    span,
  ).consignee;
};

test("UO-01 a consignee in letters that a label may print otherwise is not known to agree, and is still known to differ", () => {
  const printed = ["SHIP TO:", "WANG", "12 MAIN STREET", "RENO NV 89506"];
  expect(consignee("Wang", printed)).toBe(true);
  expect(consignee("王芳", printed)).toBe(null);
  expect(consignee("Ирина Wang", printed)).toBe(null);
  expect(consignee("Li", printed)).toBe(false);
  expect(consignee("王芳", ["SHIP TO:", "WANG", "9 WHARF ROAD", "RENO NV 89506"])).toBe(false);
});

test("UO-01 every row of the table has a case, and the table is in docs/writes.md", async () => {
  expect([...new Set(CASES.map(([, , , row]) => row))]).toEqual(OURS.map((_, row) => row));
  expect((await readFile(WRITES_FILE, "utf8")).endsWith(printOurs())).toBe(true);
});

const fact = fc.constantFrom(true, false, null);
const evidence = fc.record({
  isVoided: fc.boolean(),
  isHeld: fc.boolean(),
  isDenied: fc.boolean(),
  isNamed: fc.boolean(),
  hasTwin: fc.boolean(),
  reference: fc.constantFrom("own" as const, "other" as const, "unknown" as const, "none" as const),
  agrees: fc.record({ consignee: fact, packages: fact, service: fact, weights: fact, time: fact }),
});

test("UO-01 nothing is surely ours without our reference or our call unless all facts agree, nor when it differs, is void, denied or another purchase's", () => {
  fc.assert(
    fc.property(evidence, (sample) => {
      const isSure = decideOurs(sample) === "surely";
      const mayNot = sample.isVoided || sample.isHeld || sample.isDenied || sample.reference === "other";
      const isNamedOrOwn = sample.isNamed || sample.reference === "own";
      const isWhole =
        sample.reference === "none" && !sample.hasTwin && FACTS.every((each) => sample.agrees[each] === true);
      expect(isSure && mayNot).toBe(false);
      expect(isSure && !isNamedOrOwn && !isWhole).toBe(false);
      // A reference is not believed against a fact that differs.
      if (isSure && !sample.isNamed) expect(sample.agrees.consignee).not.toBe(false);
    }),
  );
});

test("a reference is the same for the same purchase, another for each other, and known as ours", () => {
  const order = { realmId: "1", partner: "retailer", poNumber: "80001", turn: 0 };
  const others = [{ realmId: "2" }, { partner: "other" }, { poNumber: "80002" }, { turn: 1 }];
  const all = [order, ...others.map((purchase) => ({ ...order, ...purchase }))].map((purchase) =>
    deriveReference(purchase),
  );
  expect(new Set(all).size).toBe(5);
  expect(deriveReference({ ...order })).toBe(all[0]);
  expect(all.every((reference) => isProductReference(reference))).toBe(true);
  expect(["DS", "PO-80001", "DS0123456789A", "DSIIIIIIIIIIII"].some((text) => isProductReference(text))).toBe(
    false,
  );
});
