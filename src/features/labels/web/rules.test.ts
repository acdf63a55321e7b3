import { expect, test } from "vitest";
import { pdfName } from "#features/labels/web/rules.ts";

test.each([
  ["orders.pdf", "week.xlsx", "orders.pdf"],
  ["orders", "week.xlsx", "orders.pdf"],
  ["Orders.PDF", "week.xlsx", "Orders.PDF"],
  [null, "orders.xlsx", "orders.xlsx.pdf"],
])("GS-11 the file name %s in the header, for upload %s, is saved as %s", (header, upload, saved) => {
  expect(pdfName(header, upload)).toBe(saved);
});
