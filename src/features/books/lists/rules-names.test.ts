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

test("an exact name beats a loose one, and an active one an inactive one", () => {
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

test("a name beats another item's SKU with the same text", () => {
  const index = indexNames([entry("A", { sku: "B" }), entry("B")]);
  expect(findName(index, "B")).toMatchObject({ entry: { name: "B" } });
});

test("suggestions are close, active, at most three, closest first", () => {
  const index = indexNames(
    ["Wigdet 9", "Widget 90", "Widget 91", "Widget 92", "Sprocket"]
      .map((name) => entry(name))
      .concat(entry("Widget 9x", { active: false })),
  );
  expect(findName(index, "Widget-9")).toEqual({
    kind: "none",
    suggestions: ["Wigdet 9", "Widget 90", "Widget 91"],
    isSure: true,
  });
  expect(findName(index, "Sproket")).toEqual({ kind: "none", suggestions: ["Sprocket"], isSure: true });
  expect(findName(index, "?!")).toEqual({ kind: "none", suggestions: [], isSure: false });
});

const letters = fc.string({ unit: fc.constantFrom("a", "b", "é", "n", "1", "2", " "), maxLength: 9 });
const listedNames = fc.uniqueArray(
  letters.map((text) => `W${text.trim()}`),
  { minLength: 1, maxLength: 30, selector: (name) => name.normalize("NFD").replaceAll(/[^\w]/g, "") },
);

test("a name that differs only in case, spaces, hyphens, accents and punctuation is always found or comes first", () => {
  const change = fc.array(fc.constantFrom("", " ", "-", "’", "upper", "accent", "."), { minLength: 1 });
  fc.assert(
    fc.property(listedNames, fc.nat(), change, (names, pick, changes) => {
      const wanted = names[pick % names.length] ?? "";
      const letter = (character: string, at: number) => {
        const made = changes[at % changes.length] ?? "";
        if (made === "upper") return character.toUpperCase();
        return made === "accent" ? character.normalize("NFD").replaceAll(/\p{M}/gu, "") : character + made;
      };
      const text = [...wanted].map(letter).join("");
      const found = findName(indexNames(names.map((name) => entry(name))), text);
      expect(found.kind === "none" ? found.suggestions[0] : found).toEqual(
        found.kind === "none" ? wanted : { kind: "found", entry: entry(wanted) },
      );
      if (found.kind === "none") expect(found.isSure).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("a name with different digits, or one of several equally close, is suggested but never certain", () => {
  const rooms = indexNames(["Room 101", "Room 102", "Room 103"].map((name) => entry(name)));
  expect(findName(rooms, "Room104")).toMatchObject({
    suggestions: ["Room 101", "Room 102", "Room 103"],
    isSure: false,
  });
  const widgets = indexNames(["Widget 90", "Widget 91", "Widget 92"].map((name) => entry(name)));
  expect(findName(widgets, "widget91")).toMatchObject({
    suggestions: ["Widget 91", "Widget 90", "Widget 92"],
    isSure: true,
  });
  const twins = indexNames(["Bart", "Bert"].map((name) => entry(name)));
  expect(findName(twins, "Bort")).toMatchObject({ isSure: false });
  fc.assert(
    fc.property(listedNames, letters, (names, text) => {
      const found = findName(indexNames(names.map((name) => entry(name))), `w${text}`);
      const digits = (name = "") => name.replaceAll(/\D/g, "");
      if (found.kind === "none" && found.isSure) expect(digits(found.suggestions[0])).toBe(digits(text));
    }),
  );
});

test("the job comes before its parent, however the path is spelled", () => {
  const index = indexNames([entry("Acme"), entry("Job 7", { fullName: "Acme:Job 7" }), entry("Acme Job")]);
  for (const text of ["Acme > Job 7", "Acme / Job 7", "Acme - Job 7", "acme>job-7"])
    expect(findName(index, text)).toMatchObject({
      suggestions: ["Acme:Job 7", "Acme", "Acme Job"],
      isSure: true,
    });
});

test("payment terms are compared by their number of days", () => {
  const names = ["Due on receipt", "Net 10", "Net 30", "Net 60", "2% 10 Net 30"];
  const terms = indexNames(
    names.map((name) => entry(name)),
    { areTerms: true },
  );
  expect(findName(terms, "NET30")).toMatchObject({
    suggestions: ["Net 30", "Net 10", "Net 60"],
    isSure: true,
  });
  for (const text of ["30 days", "N-30", "Net thirty (30)"])
    expect(findName(terms, text)).toMatchObject({ suggestions: ["Net 30"] });
  expect(findName(terms, "30 days")).toMatchObject({ isSure: true });
  expect(findName(terms, "30 days end of month")).toMatchObject({ suggestions: ["Net 30"], isSure: false });
  expect(findName(terms, "Net 45")).toMatchObject({ isSure: false });
  expect(findName(terms, "2/10, net 30")).toMatchObject({ suggestions: ["2% 10 Net 30"] });
});

test("matching 5,000 unknown names with 10,000 customers costs a fiftieth of comparing every pair", () => {
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

/** The textbook distance with swaps of neighbors, without a limit. */
function plainDistance(a: string, b: string): number {
  const costs = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (__, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const replaced = costs[row - 1]![column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      costs[row]![column] = Math.min(costs[row - 1]![column]! + 1, costs[row]![column - 1]! + 1, replaced);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        costs[row]![column] = Math.min(costs[row]![column]!, costs[row - 2]![column - 2]! + 1);
      }
    }
  }
  return costs[a.length]![b.length]!;
}

test("the bounded distance equals the textbook distance up to its limit", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, limit) => {
      expect(editDistance(a, b, limit)).toBe(Math.min(plainDistance(a, b), limit + 1));
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
