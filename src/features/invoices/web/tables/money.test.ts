import { formatMoney, formatSum } from "#features/invoices/web/tables/money.ts";
import { expect, test } from "vitest";

test.each([
  ["1234.5", "USD", "$1,234.50"],
  ["1234.50", "CAD", "CA$1,234.50"],
  ["-0.07", "EUR", "-€0.07"],
  ["1200.00", "JPY", "¥1,200"],
  ["1200.5", "JPY", "¥1,200.5"],
  ["12345678901234.56", "USD", "$12,345,678,901,234.56"],
  ["1234.5", null, "1,234.50"],
  ["1234.5", "Dollars", "1,234.50"],
  [null, "USD", ""],
])("%s in %s reads %s", (amount, currency, shown) => {
  expect(formatMoney(amount, currency)).toBe(shown);
});

test("a sum has a currency only if all invoices have the same one", () => {
  const sums = [["CAD"], ["CAD", "USD"], []].map((currencies) => formatSum("5", currencies));
  expect(sums).toEqual(["CA$5.00", "5.00", "5.00"]);
});
