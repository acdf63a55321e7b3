import { expect, test } from "vitest";
import { buildXlsx, type CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { findTable } from "#features/invoices/workbook/rules-sheet.ts";
import { ACME, planInvoices, planRows, sentences } from "#features/invoices/fixtures/plan-rows.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Amount"];
const line = (qty: CellSpec, rate: CellSpec, amount: CellSpec = null): CellSpec[] => [
  "1001",
  "Beta LLC",
  "2026-01-20",
  "Widget 9",
  qty,
  rate,
  amount,
];

const plan = (header: string | string[], rows: CellSpec[][], lists: Parameters<typeof planRows>[2] = {}) =>
  planRows([...HEADERS, ...[header].flat()], rows, lists);

/** The lines of the first invoice after those of the rows, and its total. */
function charges(made: ReturnType<typeof planRows>) {
  const [invoice] = made.invoices;
  return { lines: invoice?.draft?.Line.slice(invoice.rows.length), cents: invoice?.amountCents };
}

const off = (Amount: number) => ({
  DetailType: "DiscountLineDetail",
  Amount,
  DiscountLineDetail: { PercentBased: false },
});
const percentOff = (Amount: number, DiscountPercent: number) => ({
  DetailType: "DiscountLineDetail",
  Amount,
  DiscountLineDetail: { PercentBased: true, DiscountPercent },
});

test.each(['0"%"', '0" %"', "0\\%", 'General"%"', '0.0"%"'])(
  "a discount that the format %s shows as ten percent is a percentage of the invoice or of its line",
  (format) => {
    const read = (header: string) => {
      const rows = [
        [...HEADERS, header],
        [...line(1, 200), { style: 1, value: 10 }],
      ];
      const workbook = buildXlsx({ sheets: [{ name: "S", rows }], formats: [format] });
      return charges(planInvoices(findTable(readWorkbook(workbook)), ACME));
    };
    expect(read("Invoice Discount")).toEqual({ lines: [percentOff(20, 10)], cents: 18_000 });
    expect(read("Line Discount").cents).toBe(18_000);
  },
);

test.each([
  ["money", "Invoice Discount", [[...line(10, 9), 15]], [off(15)], 7500],
  ["a percentage with its sign", "Invoice Discount", [[...line(10, 9), "10%"]], [percentOff(9, 10)], 8100],
  ["a column of percentages", "Invoice Discount %", [[...line(3, 3.35), 7.5]], [percentOff(0.75, 7.5)], 930],
  ["nothing", "Invoice Discount", [[...line(10, 9), 0]], [], 9000],
  ["a dash", "Invoice Discount", [[...line(10, 9), "-"]], [], 9000],
  [
    "one value on each row",
    "Invoice Discount",
    [
      [...line(1, 9), 2],
      [...line(1, 9), 2],
    ],
    [off(2)],
    1600,
  ],
  [
    "zeros below the first row",
    "Invoice Discount",
    [
      [...line(1, 9), 2],
      [...line(1, 9), 0],
    ],
    [off(2)],
    1600,
  ],
  [
    "discounts of lines",
    "Line Discount",
    [
      [...line(1, 9), 2],
      [...line(1, 9), "50%"],
    ],
    [off(6.5)],
    1150,
  ],
] as const)(
  "a discount on an invoice becomes QuickBooks' own discount line: %s",
  (_, header, rows, lines, cents) => {
    expect(charges(plan(header, rows as unknown as CellSpec[][]))).toEqual({ lines, cents });
  },
);

test("an Amount with its line discount already taken off is sent as Qty × Rate and the discount", () => {
  const made = plan("Line Discount %", [[...line(2, 100, 180), 10]]);
  expect(charges(made)).toEqual({ lines: [off(20)], cents: 18_000 });
  expect(made.invoices[0]?.draft?.Line[0]).toMatchObject({ Amount: 200 });
});

test("an Amount without Qty and Rate in a row with a discount may be before or after it", () => {
  expect(sentences(plan("Line Discount", [[...line(null, null, 180), 20]]))).toEqual([
    "G2: Is Amount before or after the discount? Fill in Qty and Rate.",
  ]);
});

test("a discount given both as money and as a percentage must agree", () => {
  const headers = ["Line Discount", "Line Discount %"];
  expect(charges(plan(headers, [[...line(2, 50), 10, 10]]))).toEqual({ lines: [off(10)], cents: 9000 });
  expect(sentences(plan(headers, [[...line(2, 50), 12, 10]]))).toEqual([
    'H2: "12" isn\'t 10 of 100.00, which is 10.00.',
  ]);
});

test.each([
  [0.1, "H2: Is this 0.1% or 10%? Add the percent sign."],
  [101, "H2: Invoice Discount % is more than 100%."],
  [-5, "H2: Invoice Discount % can't be negative."],
])("a percentage of %d holds back the invoice", (percent, sentence) => {
  expect(sentences(plan("Invoice Discount %", [[...line(1, 9), percent]]))).toEqual([sentence]);
});

test("an adjustment below zero lowers the invoice, as a rounding does in exports", () => {
  const made = plan(["Handling Fee"], [[...line(1, 9), -0.5]]);
  expect(charges(made).cents).toBe(850);
  expect(sentences(plan(["Freight"], [[...line(1, 9), -0.5]]))).toEqual(["H2: Shipping can't be negative."]);
});

test("shipping becomes QuickBooks' own line, and a deposit lowers the balance only", () => {
  const allowed = { discount: true, shipping: true, deposit: true };
  const made = plan(["Freight", "Deposit"], [[...line(10, 9), 12.5, 40]], { allowed });
  expect(charges(made)).toEqual({
    lines: [
      {
        DetailType: "SalesItemLineDetail",
        Amount: 12.5,
        SalesItemLineDetail: { ItemRef: { value: "SHIPPING_ITEM_ID", name: "Shipping" } },
      },
    ],
    cents: 10_250,
  });
  expect(made.invoices[0]?.draft?.Deposit).toBe(40);
});

test("a company without deposits, discount or shipping lines is asked for items named like the columns", () => {
  const allowed = { discount: false, shipping: false, deposit: false };
  const made = plan(["Postage", "Invoice Discount", "Deposit"], [[...line(10, 9), 12.5, 5, 40]], { allowed });
  expect(sentences(made)).toEqual([
    'H2: "Postage" isn\'t an item in QuickBooks.',
    'I2: "Invoice Discount" isn\'t an item in QuickBooks.',
    "J2: Deposits are turned off in QuickBooks (Account and settings > Sales).",
  ]);
  expect(made.invoices[0]?.amountCents).toBe(9750);
});

test("a fee is a line with the item that the user chose for its column", () => {
  const nameChoices = { item: new Map([["handling fee", "21"]]) };
  const made = plan("Handling Fee", [[...line(10, 9), 3.5]], { nameChoices });
  expect(charges(made).cents).toBe(9350);
});

test("with a fee or shipping, a percentage of the lines is sent as money: QuickBooks' percentage is of all lines", () => {
  const nameChoices = { item: new Map([["handling fee", "11"]]) };
  const lastLine = (header: string, lists: Parameters<typeof planRows>[2]) => {
    const { lines, cents } = charges(
      plan([header, "Invoice Discount"], [[...line(10, 10), 20, "10%"]], lists),
    );
    return { last: lines?.at(-1), cents };
  };
  const sent = { last: off(10), cents: 11_000 };
  expect(lastLine("Handling Fee", { nameChoices })).toEqual(sent);
  expect(lastLine("Freight", {})).toEqual(sent);
  const allowed = { discount: true, shipping: false, deposit: true };
  expect(lastLine("Freight", { nameChoices, allowed })).toEqual(sent);
});

test("an exchange rate is sent only for a customer in another currency", () => {
  const made = plan("Exchange Rate", [[...line(1, 9), 1.25]]);
  expect(sentences(made)).toEqual([
    "H2: Exchange Rate isn't sent: QuickBooks bills Beta LLC in USD, the company's own currency.",
  ]);
  expect(made.invoices[0]?.draft?.ExchangeRate).toBeUndefined();
});
