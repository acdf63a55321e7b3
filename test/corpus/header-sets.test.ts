import { expect, test } from "vitest";
import { readHeaders, type Headers } from "#formats/table/headers.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { HEADER_SETS, type HeaderSet } from "./header-sets.ts";

const REQUIRED = ["customer", "invoiceDate", "item", "qty", "rate", "amount"];

test("the corpus has at least 40 header rows", () => {
  expect(HEADER_SETS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(HEADER_SETS.map(({ source }) => source)).size).toBe(HEADER_SETS.length);
});

test("at least 95 % of columns in any order are matched correctly, and no required one silently wrong", () => {
  let columns = 0;
  const wrong: string[] = [];
  HEADER_SETS.forEach((set, seed) => {
    const { headers, order } = read(set, seed + 1);
    order.forEach(({ header, field }, index) => {
      columns += 1;
      const mapped = headers.columns.find((column) => column.index === index)?.field ?? null;
      if (mapped !== field) wrong.push(`${set.source}: ${header} is ${mapped}, not ${field}`);
    });
  });
  const mappedToAnother = wrong.filter((text) => !text.includes(" is null, not "));
  expect(mappedToAnother.filter((text) => REQUIRED.some((field) => text.includes(` is ${field}, `)))).toEqual(
    [],
  );
  expect(wrong.length / columns, wrong.join("\n")).toBeLessThanOrEqual(0.05);
  expect(columns).toBeGreaterThan(400);
});

test("an unrecognized required column is asked about, never skipped", () => {
  for (const set of HEADER_SETS) {
    const { headers } = read(set, 7);
    const fields = new Set<string>(headers.columns.map(({ field }) => field));
    const lost = set.columns.filter(
      ({ field }) => ["customer", "invoiceDate", "item"].includes(field ?? "") && !fields.has(field ?? ""),
    );
    if (lost.length > 0) expect(headers.missing, set.source).not.toEqual([]);
  }
  const asked = HEADER_SETS.filter((set) => read(set, 1).headers.missing.length > 0).map(
    ({ source }) => source,
  );
  expect(asked).toEqual(["Unknown customer column", "Unknown amount column"]);
});

function read(set: HeaderSet, seed: number): { headers: Headers; order: HeaderSet["columns"] } {
  const order = shuffled(set.columns, seed);
  const row = { number: 1, hidden: false, cells: order.map(({ header }) => header) };
  return { headers: readHeaders(invoiceSheet, row), order };
}

/** The same order for the same seed. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  let state = seed * 2_654_435_761;
  const keyed = items.map((item) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return { item, key: state };
  });
  return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}
