import { guessFields } from "#features/sheets/guess-fields.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { expect, test } from "vitest";

const unknown = (...samples: string[]) => ({ field: null, samples });
const known = (field: string) => ({ field, samples: ["x"] });

test("an unknown column is guessed from its values if it is the only one that fits a missing field", () => {
  const columns = [
    unknown("Acme", "Beta & Sons"),
    unknown("1/31/2026", "2/1/2026"),
    unknown("$1,234.50", "12"),
    known("docNumber"),
  ];
  expect(guessFields(invoiceSheet, columns)).toEqual(["customer", "invoiceDate", "amount", null]);
});

test("with a Rate, a column of numbers is the Qty, not the Amount", () => {
  const columns = [known("customer"), known("invoiceDate"), known("item"), known("rate"), unknown("1", "2")];
  expect(guessFields(invoiceSheet, columns).at(-1)).toBe("qty");
});

test("nothing is guessed when two columns fit a field or the field already has a column", () => {
  expect(guessFields(invoiceSheet, [unknown("1"), unknown("2.5")])).toEqual([null, null]);
  const money = [known("customer"), known("invoiceDate"), known("qty"), known("rate"), unknown("5")];
  expect(guessFields(invoiceSheet, money)).toEqual([null, null, null, null, null]);
});
