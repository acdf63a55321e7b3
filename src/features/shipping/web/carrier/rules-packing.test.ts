import {
  findPackingFault,
  packCartons,
  proposePacking,
  readPacking,
} from "#features/shipping/web/carrier/rules-packing.ts";
import { sampleOrder } from "#features/shipping/web/carrier/fixtures/orders.ts";
import { newCarton, readCartons } from "#features/shipping/web/shipment/rules-cartons.ts";
import { expect, test } from "vitest";

/** An order with one line for each given number of open pieces. */
const openOrder = (...open: string[]) =>
  sampleOrder({
    lines: open.map((count, at) => ({
      line: String(at + 1),
      sku: `SKU-${at + 1}`,
      description: "",
      quantity: count,
      open: count,
      unit: "EA",
    })),
  });

test.each<[string[], number, string[][]]>([
  [
    ["1", "1", "1"],
    3,
    [
      ["1", "", ""],
      ["", "1", ""],
      ["", "", "1"],
    ],
  ],
  [
    ["2", "10"],
    3,
    [
      ["1", "1", ""],
      ["3", "3", "4"],
    ],
  ],
  [
    ["5", "4"],
    3,
    [
      ["2", "2", "1"],
      ["1", "1", "2"],
    ],
  ],
  [
    ["2.5", "1.25", "1"],
    3,
    [
      ["2.5", "", ""],
      ["", "1.25", ""],
      ["", "", "1"],
    ],
  ],
  [["7"], 1, [["7"]]],
])(
  "TD-01 the proposal for lines of %j in %i cartons is even and leaves no carton empty",
  (open, cartons, texts) => {
    const order = openOrder(...open);
    const proposal = proposePacking(order, cartons);
    expect(Object.values(proposal)).toEqual(texts);
    expect(findPackingFault(order, proposal, cartons)).toBeNull();
  },
);

test("TD-01 the proposal for 50 lines of one piece fills 50 cartons; with a carton more than pieces, the last is empty", () => {
  const order = openOrder(...Array.from({ length: 50 }, () => "1"));
  expect(findPackingFault(order, proposePacking(order, 50), 50)).toBeNull();
  expect(findPackingFault(order, proposePacking(order, 51), 51)).toEqual({
    line: null,
    at: 50,
    fault: "empty",
  });
});

test.each<[string, boolean]>([
  ["0.000001", true],
  ["1.123456", true],
  ["0.0000001", false],
  ["1.1234567", false],
  ["1.", false],
])("VA-09 a quantity has at most six decimals: %s", (text, isTaken) => {
  const order = openOrder("4");
  const packed = { "1": [text] };
  const sizes = readCartons([newCarton()]) ?? [];
  const taken = packCartons(order, { part: 1, packed }, sizes)?.cartons.map(({ contents }) => contents);
  expect(taken ?? null).toEqual(isTaken ? [[{ line: "1", quantity: text }]] : null);
  const fault = findPackingFault(order, readPacking(order, packed, 1), 1);
  expect(fault).toEqual(isTaken ? null : { line: "1", at: 0, fault: "number" });
});
