import { sql } from "kysely";
import { expect, test } from "vitest";
import { ACME } from "../../../../test/support/intuit.ts";
import { findRun, startRun } from "../../../../test/support/ledger.ts";
import { dayLine } from "../../../../test/support/workbooks.ts";
import { chooseName } from "#features/books/names/contract.ts";
import { chooseColumns } from "#features/invoices/workbook/contract.ts";
import { downloadProblemRows, type UploadSummary } from "#features/invoices/contract.ts";
import { openDesk, listOutcomes } from "../../../../test/support/plan-desk.ts";

const SKIPPED =
  /^Skipped: an identical invoice was uploaded on \w+ \d+, \d{4} in row 2 of "november\.xlsx", and is in QuickBooks as invoice \d+\. If this is a different invoice, give it its own Invoice No/;

test("UP-42 when a user's own workbook is corrected and uploaded again, only what was not posted is posted", async () => {
  const desk = await openDesk();
  const first = await desk.upload([dayLine(2), dayLine(3), dayLine(4, { Item: "Claw Hamer" })]);
  expect(first.counts).toMatchObject({ completed: 2, problems: 1 });
  const corrected = await desk.upload([dayLine(2), dayLine(3), dayLine(4)], "november corrected.xlsx");
  expect(listOutcomes(corrected)).toEqual([
    ["2", 7],
    ["3", 7],
    ["4", 0],
  ]);
  expect(corrected.results[0]?.message).toMatch(SKIPPED);
  expect(await desk.made()).toHaveLength(3);
});

test("UP-42 a workbook whose rows moved and whose bytes changed on saving posts nothing twice", async () => {
  const desk = await openDesk();
  await desk.upload([dayLine(2), dayLine(3)]);
  const text =
    "Customer,Date,Product,Qty,Rate,Amount\ncool cars,03-Nov-2026,claw hammer,1,10.00,10\nCool Cars,02-Nov-2026,Claw Hammer,1,10,10.00\n";
  const again = await desk.post(new TextEncoder().encode(text), "saved.csv");
  expect(again.results.filter(({ status }) => status === 0)).toEqual([]);
  expect(await desk.made()).toHaveLength(2);
});

test("equal invoices within one file are all posted, and from the next file only as many as are still missing", async () => {
  const desk = await openDesk();
  const other = dayLine(9, { Customer: "Red Rock Diner" });
  await desk.upload([dayLine(2), other, dayLine(2)]);
  expect(await desk.made()).toHaveLength(3);
  const again = await desk.upload([dayLine(2), other, dayLine(2), dayLine(8), dayLine(2)]);
  expect(listOutcomes(again)).toEqual([
    ["2", 7],
    ["3", 7],
    ["4", 7],
    ["5-6", 0],
  ]);
  expect(await desk.made()).toHaveLength(5);
});

test("UP-44 a posted file that has no rows with its columns as now matched ends as one without rows", async () => {
  const desk = await openDesk({ realmId: ACME, email: "owner@acme.example", worker: false });
  const bytes = new TextEncoder().encode(
    "Customer,Invoice Date,Item,Amount\nCool Cars,2026-11-02,Claw Hammer,10\nKunde,Datum,Artikel,Betrag,Menge",
  );
  const work = ({ id }: UploadSummary) => startRun(desk.app, id);
  await work(await desk.accept(bytes, "two-heads.csv"));
  expect(await desk.made()).toHaveLength(1);
  const columns = Object.entries({
    Kunde: "customer",
    Datum: "invoiceDate",
    Artikel: "item",
    Betrag: "amount",
    Menge: "qty",
  }).map(([header, field]) => ({ header, field }));
  const chosen = await desk.browser.call(chooseColumns, { query: desk.query, json: { columns } });
  expect(chosen.status).toBe(200);
  const again = await desk.accept(bytes, "two-heads.csv");
  await work(again);
  expect((await findRun(desk.app.db, again.id))?.state).toBe("done");
  const { rows } = await sql`select data_rows from upload where id = ${again.id}::uuid`.execute(desk.app.db);
  expect(rows).toEqual([{ data_rows: 0 }]);
  expect(await desk.made()).toHaveLength(1);
});

test("UP-42 invoices of the same file that others deleted or voided in QuickBooks since are reported as such, and not sent again", async () => {
  const desk = await openDesk();
  await desk.upload([dayLine(2), dayLine(3), dayLine(4)]);
  const [deleted, voided] = await desk.made();
  if (!deleted || !voided) throw new Error("Too few invoices.");
  await desk.remove(deleted, "delete");
  await desk.remove(voided, "void");
  const again = await desk.upload([dayLine(2), dayLine(3), dayLine(4)]);
  const gone = (number: string | undefined, how: string) =>
    expect.stringMatching(
      new RegExp(
        `^Skipped: already uploaded on \\w+ \\d+, \\d{4} in "november\\.xlsx" \\(invoice ${number}\\), and since ${how} in QuickBooks\\. To post it again, put its rows into a new file and upload that\\.$`,
      ),
    );
  expect(again.results.map(({ message }) => message)).toEqual([
    gone(deleted?.DocNumber, "deleted"),
    gone(voided?.DocNumber, "voided"),
    expect.stringMatching(/^Skipped: already uploaded on .+ in "november\.xlsx" \(invoice \d+\)\.$/),
  ]);
  expect(await desk.made()).toHaveLength(2);
  await desk.upload([dayLine(2), dayLine(3)], "a new file.xlsx");
  expect(await desk.made()).toHaveLength(4);
});

test("an invoice equal to a posted one is posted once it has a number of its own, or differs in anything", async () => {
  const desk = await openDesk({ realmId: ACME, email: "owner@acme.example" });
  await desk.upload([dayLine(2)]);
  const again = await desk.upload([
    dayLine(2, { Amount: 20, Qty: 2 }),
    dayLine(2, { "Invoice No": "OWN-1" }),
  ]);
  expect(listOutcomes(again)).toEqual([["2-3", 0]]);
  expect(await desk.made()).toHaveLength(3);
});

test("SH-11 an invoice that is left out because its number was posted for another customer says so in the results", async () => {
  const desk = await openDesk({ realmId: ACME, email: "owner@acme.example" });
  const line = dayLine(2, { "Invoice No": "OWN-2" });
  await desk.upload([line]);
  const { results } = await desk.upload([{ ...line, Customer: "Red Rock Diner" }], "other.xlsx");
  expect(results.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      /^Skipped: posted on .+ from "november\.xlsx" by owner@acme\.example\. Posted for .+; here it's for Red Rock Diner\. Nothing is sent\.$/,
    ),
  ]);
});

test("after columns were matched differently, rows that were never posted are reported, and are alone in the problem workbook", async () => {
  const desk = await openDesk({ realmId: ACME, email: "owner@acme.example" });
  const text = [
    "Order,Customer,Invoice Date,Item,Qty,Rate",
    "O-1,Cool Cars,2026-11-02,Claw Hammer,1,10",
    "O-2,Red Rock Diner,2026-11-02,Claw Hammer,1,20",
    "O-1,Cool Cars,2026-11-02,Klaw Hamer X,1,30",
  ].join("\n");
  const bytes = new TextEncoder().encode(text);
  await desk.post(bytes, "orders.csv");
  expect(await desk.made()).toHaveLength(2);
  const json = { columns: [{ header: "Order", field: "invoiceNo" }] };
  expect((await desk.browser.call(chooseColumns, { query: desk.query, json })).status).toBe(200);
  const name = { kind: "item", text: "Klaw Hamer X", target_id: "3" };
  expect((await desk.browser.call(chooseName, { query: desk.query, json: name })).status).toBe(200);
  const again = await desk.post(bytes, "orders.csv");
  expect(listOutcomes(again)).toEqual([
    ["2", 7],
    ["3", 7],
    ["4", 2],
  ]);
  expect(again.results[2]?.message).toMatch(
    /^This file was already uploaded as "orders\.csv" on \w+ \d+, \d{4}\. Of this invoice, row 2 was or may have been posted as invoice \d+; row 4 was not\. Undo that upload/,
  );
  expect(again.counts).toMatchObject({ completed: 0, skipped: 2, problems: 1 });
  const params = { upload_id: again.id };
  const rest = await desk.browser.download(downloadProblemRows, { params, query: desk.query });
  expect(listOutcomes(await desk.post(rest))).toEqual([["2", 0]]);
  expect((await desk.made()).map(({ TotalAmt }) => TotalAmt).toSorted((a, b) => a - b)).toEqual([10, 20, 30]);
});
