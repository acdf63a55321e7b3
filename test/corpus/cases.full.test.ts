import { expect, test } from "vitest";
import { FileRefused } from "#formats/facts.ts";
import { layoutKey, rowMarkKey, toQuestion } from "#formats/table/row-mark-keys.ts";
import type { Plan } from "#features/invoices/plan/rules.ts";
import { problemText } from "#features/invoices/results/sentences-problems.ts";
import { invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { refusalReply } from "#features/sheets/sentences-refusals.ts";
import { type Answers, planCase } from "./plan-case.ts";

/** The refusal of a file in `cases/`, or what its invoices bill in cents and what holds them back. */
function tryCase(file: string, answers: Answers = {}, currencies: Record<string, string> = {}) {
  try {
    return toFacts(planCase(file, answers, currencies));
  } catch (error) {
    if (error instanceof FileRefused) return refusalReply(invoiceSheet, error).detail;
    throw error;
  }
}

const toFacts = ({ invoices }: Plan) =>
  invoices.map(({ docNumber, amountCents, draft, problems }) => {
    const errors = problems.filter(({ severity }) => severity === "error");
    return draft
      ? { number: docNumber, cents: amountCents, rate: draft.ExchangeRate }
      : { number: docNumber, errors: errors.map((problem) => problemText(problem)) };
  });

test.each<[string, string]>([
  ["discount-shipping-total.csv", 'Column "Discount" (G1, sum 15.00)'],
  ["f01-discount-columns-without-line-total.xlsx", 'Column "Discount Amount" (H1, sum 20.00)'],
  ["f01-discount-columns.xlsx", 'Column "Discount %" (H1, sum 10.00)'],
  ["f49-price-per-hundred.xlsx", 'Column "Price Per" (G1, sum 100.00)'],
])("%s is asked about before anything is posted", (file, column) => {
  expect(tryCase(file)).toBe(`${column} may change what you bill. Match it, or ignore it.`);
});

test.each<[string, Answers, number]>([
  ["discount-shipping-total.csv", { Discount: "discount" }, 8750],
  ["f01-discount-columns-without-line-total.xlsx", { "Discount Amount": "discount" }, 18_000],
  ["f01-discount-columns.xlsx", { "Discount %": "lineDiscountPercent" }, 20_900],
])("%s bills its net money once its column is matched", (file, answers, cents) => {
  expect(tryCase(file, answers)).toMatchObject([{ cents }]);
});

test("a price of 100 pieces is never posted as the price of one", () => {
  expect(tryCase("f49-price-per-hundred.xlsx", { "Price Per": "ignore" })).toEqual([
    {
      number: "FPU-1",
      errors: ["I2: 250 × $7.35 is $1,837.50, not $18.38."],
    },
  ]);
});

test("shipping and tax columns make the total of the file", () => {
  expect(tryCase("f32-invoices-with-shipping-and-total.xlsx")).toMatchObject([{ cents: 4740 }]);
});

test.each<[string, number[]]>([
  ["f02-items-side-by-side.xlsx", [9215, 6200]],
  ["f02-items-numbered-from-1.xlsx", [8340]],
])("%s bills all items of its rows", (file, cents) => {
  expect(tryCase(file)).toMatchObject(cents.map((each) => ({ cents: each })));
});

test.each(["f32-orders-with-shipping-and-total.xlsx", "f32-shop-orders.csv"])(
  "%s is refused by the name of a column",
  (file) => {
    expect(tryCase(file)).toMatch(/"Order Number"|"Name"/);
  },
);

test("the file's exchange rate is sent for customers in another currency", () => {
  const made = tryCase(
    "f31-exchange-rate-column.xlsx",
    {},
    { "Berlin Rad GmbH": "EUR", "Toronto Trail": "CAD" },
  );
  expect(made).toMatchObject([
    { number: "FG-1", rate: expect.any(Number) },
    { number: "FG-2", rate: expect.any(Number) },
    { number: "FG-3" },
    { number: "FG-4" },
  ]);
});

test("negative totals among invoices are refused individually", () => {
  expect(tryCase("f35-credits-among-invoices.xlsx")).toMatchObject([
    { number: "FD-31", cents: 3000 },
    ...["FD-32", "FD-33", "CM-34"].map((number) => ({
      number,
      errors: [expect.stringContaining("Invoice total is -$10.00.")],
    })),
  ]);
});

const HOURS = layoutKey(invoiceSheet, ["Invoice No", "Date", "Client", "Task", "Hours", "Billable", "Rate"]);
const NOT_BILLABLE = rowMarkKey(toQuestion(HOURS, "Billable"), "No");

test.each<[string, Answers, number[]]>([
  ["h05-hours-not-billable.csv", { Task: "item", [NOT_BILLABLE]: "left_out" }, [15_000]],
  ["h05-hours-not-billable.csv", { Task: "item", [NOT_BILLABLE]: "billed" }, [21_000]],
  ["h08-order-id-two-orders.csv", { "Order ID": "invoiceNo" }, [1000, 500]],
])("SH-01 SH-04 %s bills what a user said", (file, answers, cents) => {
  expect(tryCase(file, answers)).toMatchObject(cents.map((each) => ({ cents: each })));
});

test.each(["h01-shop-orders-whole-layout.csv", "h05-hours-not-billable.csv", "h08-order-id-two-orders.csv"])(
  "SH-01 SH-04 %s is not read without an answer",
  (file) => {
    expect(tryCase(file, { Task: "item" })).toEqual(
      expect.stringMatching(
        /Should these rows be billed\?|would become one invoice|looks like a Shopify order export/,
      ),
    );
  },
);
