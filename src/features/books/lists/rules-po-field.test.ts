import { expect, test } from "vitest";
import { findPoField } from "#features/books/lists/rules-po-field.ts";

const preferences = (...names: string[]) => [
  {
    CustomField: names.map((_, index) => ({
      Name: `SalesFormsPrefs.UseSalesCustom${index + 1}`,
      BooleanValue: true,
    })),
  },
  {
    CustomField: names.map((name, index) => ({
      Name: `SalesFormsPrefs.SalesCustomName${index + 1}`,
      StringValue: name,
    })),
  },
];

test.each(["PO Number", "P.O. #", "po", "Purchase Order"])(
  "a company's own field named %s takes the PO number",
  (name) => {
    expect(findPoField(preferences("Crew #", name))).toEqual({ id: "2", name });
  },
);

test("a company without such a field has none, whatever Intuit answers", () => {
  expect(findPoField(preferences("Crew #"))).toBeNull();
  expect(findPoField(undefined)).toBeNull();
  expect(findPoField([{ CustomField: "?" }])).toBeNull();
});

test("a switch that can't be read leaves the fields as they are", () => {
  const odd = { CustomField: [{ Name: "SalesFormsPrefs.UseSalesCustom1", BooleanValue: "true" }] };
  expect(findPoField([odd, ...preferences("PO").slice(1)])).toEqual({ id: "1", name: "PO" });
});

test("a field that is switched off takes no PO number, even if another one of the name is on", () => {
  const all = preferences("PO", "PO #", "PO Number");
  const off = (...places: number[]) =>
    all.map(({ CustomField }) => ({
      CustomField: CustomField.map((pair, at) =>
        "BooleanValue" in pair && places.includes(at + 1) ? { ...pair, BooleanValue: false } : pair,
      ),
    }));
  expect(findPoField(off(1))).toEqual({ id: "2", name: "PO #" });
  expect(findPoField(off(1, 2))).toEqual({ id: "3", name: "PO Number" });
  expect(findPoField(off(1, 2, 3))).toBeNull();
  expect(findPoField(all.slice(1))).toEqual({ id: "1", name: "PO" });
});
