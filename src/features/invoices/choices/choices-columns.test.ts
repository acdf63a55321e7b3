import { expect, test } from "vitest";
import * as contract from "#features/invoices/choices/contract.ts";
import type { SeenColumn } from "#features/sheets/contract.ts";
import { postInvoices } from "#features/invoices/contract.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";

const query = { realm_id: ACME };

const FOREIGN = [
  "Beleg,Zahler,Datum,Ware,Betrag,",
  "H-1,Cool Cars,2026-11-02,Claw Hammer,19.95,paid by card",
  "H-2,Cool Cars,2026-11-02,Claw Hammer,39.90,",
];

const MEANINGS = ["invoiceNo", "customer", "invoiceDate", "item", "amount"];

const csv = (lines: readonly string[]) => ({ name: "foreign.csv", bytes: Buffer.from(lines.join("\r\n")) });

test("the columns asked for are those the reader reads: an unnamed column beside foreign headers loses no invoice", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const seen = (await browser.call(contract.readColumns, { query, file: csv(FOREIGN) })).json() as {
    header_row: number;
    columns: SeenColumn[];
  };
  expect(seen.header_row).toBe(1);
  expect(seen.columns.map(({ header }) => header)).toEqual(["Beleg", "Zahler", "Datum", "Ware", "Betrag"]);
  const columns = seen.columns.map(({ header }, index) => ({ header, field: MEANINGS[index] ?? "" }));
  await browser.call(contract.chooseColumns, { query, json: { columns } });
  expect((await browser.call(postInvoices, { query, file: csv(FOREIGN) })).status).toBe(202);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toMatchObject({ completed: 2, problems: 0 });
  const numbers = (await app.intuit.invoices(ACME)).map(({ DocNumber }) => DocNumber);
  expect(numbers).toEqual(expect.arrayContaining(["H-1", "H-2"]));
});

test("a filled row above the headers is always reported", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const text = [
    "H-0,Cool Cars,2026-11-02,Claw Hammer,59.85",
    "Invoice No,Customer,Invoice Date,Item,Amount",
    "H-9,Cool Cars,2026-11-02,Claw Hammer,19.95",
  ];
  await browser.call(postInvoices, { query, file: csv(text) });
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results).toContainEqual({
    status: 7,
    rows: "1",
    message: "Row 1 is above the headers in row 2 and not read as an invoice.",
  });
});
