import { expect, test } from "vitest";
import { addOrders, chooseColumns } from "#features/orders/contract.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { openShippingDesk } from "../../../../test/support/shipping.ts";

const HEADERS = "PO Number,Ship To Name,Address 1,City,State,Zip,Item,Description,Qty";
const row = (po: string, more: Partial<Record<string, string>> = {}) => {
  const cells = {
    name: "Ann Lee",
    street: "12 Main Street",
    city: "Reno",
    state: "NV",
    zip: "89506",
    sku: "100",
    text: "Hammer",
    qty: "2",
  };
  return [po, ...Object.values({ ...cells, ...more })].join(",");
};
const csv = (...rows: string[]) => [HEADERS, ...rows].join("\n");

test("OI-01 OI-02 a sheet of orders is read whatever its headers are, and rows with one PO number form one order", async () => {
  const desk = await openShippingDesk({ worker: false });
  const sheet = csv(
    row("7001"),
    row("7002"),
    row("7001", { sku: "200", text: "Nails", qty: "10" }),
    row("7003"),
  );
  expect((await desk.add(sheet, "orders.csv")).documents).toEqual([
    { po_number: "7001", result: "added", problems: [] },
    { po_number: "7002", result: "added", problems: [] },
    { po_number: "7003", result: "added", problems: [] },
  ]);
  expect((await desk.open()).map(({ po_number, lines, place }) => [po_number, lines.length, place])).toEqual([
    ["7001", 2, "Reno, NV 89506"],
    ["7002", 1, "Reno, NV 89506"],
    ["7003", 1, "Reno, NV 89506"],
  ]);
  expect((await desk.add(sheet, "again.csv")).documents.map(({ result }) => result)).toEqual([
    "same",
    "same",
    "same",
  ]);
  const other = HEADERS.replace("Item", "Thing").replace("PO Number", "Their number");
  const bytes = Buffer.from([other, row("7004")].join("\n"));
  const send = () => desk.browser.call(addOrders, { file: { name: "other.csv", bytes } });
  const asked = await send();
  expect([asked.status, (asked.json() as { code: string }).code]).toEqual([400, "template_mismatch"]);
  const json = {
    columns: [
      { header: "Their number", field: "poNumber" },
      { header: "Thing", field: "sku" },
    ],
  };
  const chosen = await desk.browser.call(chooseColumns, { query: { realm_id: ACME }, json });
  expect(chosen.status, chosen.text).toBe(200);
  expect((await send()).json()).toMatchObject({ documents: [{ po_number: "7004", result: "added" }] });
});

test("OI-05 an order with a wrong cell in its sheet is refused as a whole, naming the cell, and is taken once it is corrected", async () => {
  const desk = await openShippingDesk({ worker: false });
  const sheet = csv(
    row("7001"),
    row("7002", { qty: "two" }),
    row("7002", { sku: "200" }),
    row("7003", { zip: "895" }),
    row("7004"),
    row("7004", { name: "Bea Lee" }),
  );
  const { documents, cells: wrong } = await desk.add(sheet, "orders.csv");
  expect(
    wrong.map(({ po_number, cell, row, header, value, text }) => [po_number, cell, row, header, value, text]),
  ).toEqual([
    ["7002", "I3", 3, "Quantity", "two", expect.stringMatching(/number/)],
    [
      "7003",
      "F5",
      5,
      "Ship To ZIP Code",
      "895",
      'The ship-to ZIP code is "895". A ZIP code has 5 or 9 digits.',
    ],
    ["7004", "B7", 7, "Ship To Name", "Bea Lee", expect.stringMatching(/^This is "Bea Lee", but row 6/)],
  ]);
  expect(documents.map(({ po_number, result }) => [po_number, result])).toEqual([
    ["7001", "added"],
    ["7002", "refused"],
    ["7003", "refused"],
    ["7004", "refused"],
  ]);
  expect(documents.slice(1).map(({ problems }) => problems)).toEqual([
    [expect.stringMatching(/^I3: /)],
    ['The ship-to ZIP code is "895". A ZIP code has 5 or 9 digits.'],
    ['B7: This is "Bea Lee", but row 6 of the same order has "Ann Lee".'],
  ]);
  const cells = [
    { row: 3, field: "quantity", value: "2" },
    { row: 5, field: "zip", value: "89506" },
    { row: 7, field: "name", value: "Ann Lee" },
  ];
  const file = { name: "orders.csv", bytes: Buffer.from(sheet) };
  const again = await desk.browser.call(addOrders, { file, json: { cells } });
  expect((again.json() as { documents: { result: string }[] }).documents.map(({ result }) => result)).toEqual(
    ["same", "added", "added", "added"],
  );
});
