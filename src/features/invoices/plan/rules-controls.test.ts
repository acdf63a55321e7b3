import { expect, test } from "vitest";
import type { CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { problemText } from "#features/invoices/results/sentences-problems.ts";
import { planRows, sentences } from "#features/invoices/fixtures/plan-rows.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate"];
const LINE: CellSpec[] = ["1001", "Beta LLC", "2026-01-20", "Widget 9", 10, 9];

const plan = (headers: string[], ...rows: CellSpec[][]) =>
  planRows(
    [...HEADERS, ...headers],
    rows.map((more) => [...LINE, ...more]),
  );

test.each<[name: string, headers: string[], rows: CellSpec[][]]>([
  ["its lines", ["Invoice Total"], [[90]]],
  ["its lines, discount and shipping", ["Invoice Discount", "Shipping", "Invoice Total"], [[15, 12.5, 87.5]]],
  ["these with the file's own tax", ["Sales Tax", "Grand Total"], [[7.2, 97.2]]],
  ["these without that tax", ["Sales Tax", "Grand Total"], [[7.2, 90]]],
  [
    "tax of each line",
    ["Sales Tax", "Grand Total"],
    [
      [7, 193],
      [6, 193],
    ],
  ],
  [
    "tax repeated on each row",
    ["Sales Tax", "Grand Total"],
    [
      [7, 187],
      [7, 187],
    ],
  ],
])("a total in the file that is %s agrees", (_, headers, rows) => {
  const made = plan(headers, ...rows);
  expect([sentences(made), made.invoices[0]?.draft === null]).toEqual([[], false]);
});

test("shipping repeated on each row of an invoice is billed once, with a remark where no total confirms it", () => {
  const said = (made: ReturnType<typeof plan>) => made.notes.map((note) => problemText(note));
  const made = plan(["Shipping Total"], [5], [5]);
  expect([made.invoices[0]?.amountCents, said(made)]).toEqual([
    18_500,
    [
      'G2: Rows 2 and 3 of one invoice both have "5" in column "Shipping Total", so it\'s billed once. If each row has its own charge, enter the sum in the first row.',
    ],
  ]);
  expect(said(plan(["Shipping", "Invoice Total"], [5, 185], [5, 185]))).toEqual([]);
  expect(said(plan(["Shipping"], [5], [0]))).toEqual([]);
});

test("a total in the file that contradicts its lines holds back the invoice", () => {
  const made = plan(["Shipping", "Sales Tax", "Invoice Total"], [5, 7, 96]);
  expect([sentences(made), made.invoices[0]?.draft]).toEqual([
    ["I2: Invoice Total is $96.00, but the invoice adds up to $95.00 before $7.00 in tax."],
    null,
  ]);
  expect(made.invoices[0]?.amountCents).toBe(9500);
});

test.each([
  ["Transaction Type", "Invoice", []],
  ["Transaction Type", "Sales Invoice", []],
  ["Transaction Type", "Credit Memo", ['G2: This row is "Credit Memo". Only invoices are posted.']],
  ["Transaction Type", "Sales Receipt", ['G2: This row is "Sales Receipt". Only invoices are posted.']],
  ["Invoice Status", "Paid", []],
  ["Invoice Status", "Voided", ['G2: This invoice is "Voided" in the file, so it isn\'t posted.']],
  ["Invoice Status", "Canceled", ['G2: This invoice is "Canceled" in the file, so it isn\'t posted.']],
])("a row whose %s is %s is posted only if it is an invoice to be billed", (header, cell, expected) => {
  expect(sentences(plan([header], [cell]))).toEqual(expected);
});
