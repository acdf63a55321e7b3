import fc from "fast-check";
import { expect, test } from "vitest";
import { findName, indexNames } from "#features/books/lists/rules-names.ts";
import { editDistance } from "#formats/text/edit-distance.ts";
import { wrongUpsCheckDigit } from "#features/invoices/plan/rules-checks.ts";

const entry = (name: string, more: { active?: boolean; fullName?: string; sku?: string } = {}) => ({
  id: name,
  name,
  active: true,
  ...more,
});

test("an exact name wins over a loose one, and an active one over an inactive one", () => {
  const index = indexNames([
    entry("widget"),
    entry("Widget"),
    entry("Gone", { active: false }),
    entry("GONE"),
  ]);
  expect(findName(index, "Widget")).toMatchObject({ kind: "found", entry: { name: "Widget" } });
  expect(findName(index, "WIDGET").kind).toBe("several");
  expect(findName(index, "gone")).toMatchObject({ kind: "found", entry: { name: "GONE" } });
});

test("a name wins over another item's SKU of the same text", () => {
  const index = indexNames([entry("A", { sku: "B" }), entry("B")]);
  expect(findName(index, "B")).toMatchObject({ entry: { name: "B" } });
});

test("suggestions are near, active, at most three, nearest first", () => {
  const index = indexNames(
    ["Wigdet 9", "Widget 90", "Widget 91", "Widget 92", "Sprocket"]
      .map((name) => entry(name))
      .concat(entry("Widget 9x", { active: false })),
  );
  expect(findName(index, "Widget-9")).toEqual({
    kind: "none",
    suggestions: ["Widget 90", "Widget 91", "Widget 92"],
  });
  expect(findName(index, "Sproket")).toEqual({ kind: "none", suggestions: ["Sprocket"] });
  expect(findName(index, "?!")).toEqual({ kind: "none", suggestions: [] });
});

test("5,000 unknown names against 10,000 customers cost a fiftieth of comparing each with each", () => {
  const names = Array.from({ length: 10_000 }, (_, number) => `Customer number ${number}`);
  const index = indexNames(names.map((name) => entry(name)));
  const unknown = (number: number) => `Custmer nmber ${number}x`;
  const found = measureProcessorTime(() => {
    for (let number = 0; number < 5_000; number++) findName(index, unknown(number));
  });
  const compared = measureProcessorTime(() => {
    for (let number = 0; number < 5; number++) for (const name of names) plainDistance(unknown(number), name);
  });
  expect(found).toBeLessThan((compared * (5_000 / 5)) / 50);
});

function measureProcessorTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user;
}

/** The textbook distance with swaps of neighbours, without a limit. */
function plainDistance(one: string, other: string): number {
  const costs = Array.from({ length: one.length + 1 }, (_, row) =>
    Array.from({ length: other.length + 1 }, (__, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  for (let row = 1; row <= one.length; row++) {
    for (let column = 1; column <= other.length; column++) {
      const replaced = costs[row - 1]![column - 1]! + (one[row - 1] === other[column - 1] ? 0 : 1);
      costs[row]![column] = Math.min(costs[row - 1]![column]! + 1, costs[row]![column - 1]! + 1, replaced);
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        costs[row]![column] = Math.min(costs[row]![column]!, costs[row - 2]![column - 2]! + 1);
      }
    }
  }
  return costs[one.length]![other.length]!;
}

test("the bounded distance is the textbook one up to its limit", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (one, other, limit) => {
      expect(editDistance(one, other, limit)).toBe(Math.min(plainDistance(one, other), limit + 1));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["1Z999AA10123456784", undefined],
  ["1z 999 aa1 01 2345 6784", undefined],
  ["1Z5R89390357567127", undefined],
  ["1Z879E930346834440", undefined],
  ["1Z999AA10123456789", "4"],
  ["9400100000000000000000", undefined],
  ["1Z999", undefined],
])("the check digit of %s", (number, right) => {
  expect(wrongUpsCheckDigit(number)).toBe(right);
});
