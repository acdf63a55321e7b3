import { sql } from "kysely";
import { expect, test } from "vitest";
import { buildXlsx } from "#formats/xlsx/fixtures/build-xlsx.ts";
import * as contract from "#features/invoices/workbook/contract.ts";
import type { SeenColumn } from "#features/sheets/contract.ts";
import { postInvoices } from "#features/invoices/contract.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { startApp } from "../../../test/support/start-app.ts";
import { settledUploads } from "../../../test/support/uploads.ts";

const query = { realm_id: ACME };

const FOREIGN = [
  "Beleg,Zahler,Datum,Ware,Betrag,",
  "H-1,Cool Cars,2026-11-02,Claw Hammer,19.95,paid by card",
  "H-2,Cool Cars,2026-11-02,Claw Hammer,39.90,",
];

const MEANINGS = ["invoiceNo", "customer", "invoiceDate", "item", "amount"];

const csv = (lines: readonly string[]) => ({ name: "foreign.csv", bytes: Buffer.from(lines.join("\r\n")) });

test("matching asks about the columns the reader reads: an unnamed column among unknown headers loses no invoice", async () => {
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
    remark: true,
    rows: "1",
    message: "Row 1 is above the headers in row 2 and not read as an invoice.",
  });
});

test("unknown columns are asked about once and saved for the company until the choice is deleted", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const workbook = (number: string) => ({
    name: "odd.xlsx",
    bytes: buildXlsx({
      sheets: [
        {
          name: "Data",
          rows: [
            ["Our Ref", "Who pays", "When", "What", "How much"],
            [number, "Cool Cars", "2026-11-02", "Claw Hammer", 19.95],
          ],
        },
      ],
    }),
  });
  const refused = await browser.call(postInvoices, { query, file: workbook("Z-1") });
  expect(refused.json()).toMatchObject({ status: 400, code: "template_mismatch" });
  const seen = await browser.call(contract.readColumns, { query, file: workbook("Z-1") });
  expect(seen.json()).toMatchObject({
    sheet: "Data",
    header_row: 1,
    columns: [
      { header: "Our Ref", column: "A", samples: ["Z-1"] },
      { header: "Who pays" },
      { header: "When" },
      { header: "What" },
      { header: "How much" },
    ],
  });
  const columns = [
    { header: "Our Ref", field: "invoiceNo" },
    { header: "Who pays", field: "customer" },
    { header: "When", field: "invoiceDate" },
    { header: "What", field: "item" },
    { header: "How much", field: "amount" },
  ];
  expect((await browser.call(contract.chooseColumns, { query, json: { columns } })).status).toBe(200);
  expect((await browser.call(postInvoices, { query, file: workbook("Z-1") })).status).toBe(202);
  expect((await settledUploads(browser, ACME)).uploads[0]?.counts).toMatchObject({
    completed: 1,
    problems: 0,
  });
  const [forgotten] = columns;
  const left = { header: "Note to self", field: "ignore" };
  const forget = { columns: [{ ...forgotten, field: "" }, left] };
  expect((await browser.call(contract.chooseColumns, { query, json: forget })).status).toBe(200);
  expect((await browser.call(contract.listColumnChoices, { query })).json()).toEqual({
    columns: [
      { header: "How much", field: "amount", means: "Amount" },
      { header: "Note to self", field: "ignore", means: null },
      { header: "What", field: "item", means: "Item" },
      { header: "When", field: "invoiceDate", means: "Invoice Date" },
      { header: "Who pays", field: "customer", means: "Customer" },
    ],
    row_marks: [],
    layouts: [],
    sheets: [],
    values: [],
  });
  const other = await app.owner(BAY, "platform@dockside.example");
  expect((await other.call(contract.listColumnChoices, { query: { realm_id: BAY } })).json()).toEqual({
    columns: [],
    row_marks: [],
    layouts: [],
    sheets: [],
    values: [],
  });
});

test("a company has at most 2,000 saved columns; a saved one can still be changed or deleted", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  await sql`insert into column_choice (realm_id, kind, header_key, written, field, chosen_by, chosen_at)
    select ${ACME}, 'invoices', 'n' || n, 'n' || n, 'ignore', 'x', now() from generate_series(1, 1999) n`.execute(
    app.db,
  );
  const choose = (...headers: string[]) => {
    const columns = headers.map((header) => ({ header, field: "ignore" }));
    return browser.call(contract.chooseColumns, { query, json: { columns } });
  };
  expect((await choose("Our Ref", "Who pays")).json()).toMatchObject({
    status: 409,
    code: "too_many_choices",
    detail:
      "This company has 2,000 saved columns, the most it can have. Forget some of them, then try again.",
  });
  expect((await choose("Our Ref")).status).toBe(200);
  expect((await choose("Our Ref", "n1")).status).toBe(200);
});
