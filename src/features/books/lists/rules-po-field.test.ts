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
