import { expect, test } from "vitest";
import { chooseColumns } from "#features/invoices/workbook/contract.ts";
import { createRandom } from "../../../../test/corpus/random.ts";
import { ACME, liftLimits } from "../../../../test/support/intuit.ts";
import { everyNthNumber } from "../../../../test/support/rules/every-nth.ts";
import { readSheets, sendSheets } from "../../../../test/support/send-sheets.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";

const query = { realm_id: ACME };
/** Period of the limit of calls in a session. */
const MINUTE_MS = 60_000;

const KEYS = [
  "Order ID",
  "SO #",
  "Job #",
  "Online Order",
  "Customer Order No",
  "Client Ref",
  "Account Order #",
  "Vendor Order",
  "User Booking",
  "Tax Invoice",
  "Pick Ticket",
  "Delivery Note",
  "Airline Ticket",
  "Deadline Ticket",
  "Load",
  "BOL",
  "Job",
  "Job Name",
  "Order Name",
  "Event",
];
const CODES: readonly ((sheet: number, order: number) => string)[] = [
  (sheet, order) => `K${sheet}-${1001 + order}`,
  (sheet, order) => `#${sheet}${2101 + order}`,
  (sheet, order) => `113-${1_000_000 + sheet}-${1_000_000 + order}`,
];
const NAMES: readonly ((sheet: number, order: number) => string)[] = [
  (sheet, order) => `${["Kitchen", "Bath", "Roof"][order]} K${sheet}`,
];

test("SH-04 in generated sheets, orders of one customer and day that differ in a key-like column are never merged without a question, and are invoices of their own once it is answered", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await liftLimits(app.intuit, ACME);
  const random = createRandom(41);
  const expected: [string, number][] = [];
  for (const at of everyNthNumber(60, 7)) {
    const header = KEYS[at % KEYS.length] ?? "";
    const code = random.pick(/^(?:Job|Job Name|Order Name|Event)$/.test(header) ? NAMES : CODES);
    const orders = [0, 1, random.upTo(2), random.upTo(2)].toSorted((a, b) => a - b);
    const rows = orders.map((order, row) => [
      "Cool Cars",
      "2026-11-20",
      "Claw Hammer",
      at + row + 1,
      code(at, order),
    ]);
    const sheets = [
      { name: "Orders", rows: [["Customer", "Invoice Date", "Item", "Amount", header], ...rows] },
    ];
    app.clock.advance(MINUTE_MS);
    const refused = await sendSheets(browser, `K${at}`, sheets);
    expect([header, rows[0]?.[4], refused.status]).toEqual([header, rows[0]?.[4], 400]);
    const { columns } = await readSheets(browser, `K${at}`, sheets);
    const asked = columns.find((each) => each.header === header);
    expect([header, asked?.reason]).toEqual([
      header,
      expect.stringMatching(/would become one invoice|may be the/) as string,
    ]);
    const chosen = (field: string) =>
      browser.call(chooseColumns, { query, json: { columns: [{ header, field }] } });
    await chosen("invoiceNo");
    expect((await sendSheets(browser, `K${at}`, sheets)).status).toBe(202);
    await app.settle();
    await chosen("");
    for (const [order, lines] of Map.groupBy(rows, (row) => row[4]))
      expected.push([String(order), lines.reduce((sum, row) => sum + Number(row[3]), 0)]);
  }
  await settledUploads(browser, ACME);
  const books = new Map((await app.intuit.invoices(ACME)).map((each) => [each.DocNumber, each.TotalAmt]));
  expect(expected.map(([order]) => [order, books.get(order)])).toEqual(expected);
});
