import { sql } from "kysely";
import { expect, test } from "vitest";
import {
  downloadProblemRows,
  listUploadResults,
  listUploads,
  postInvoices,
  type UploadList,
} from "#features/invoices/contract.ts";
import { type Receipt, readReceipt } from "#features/invoices/receipt/contract.ts";
import { openDesk } from "#features/invoices/undo/fixtures/open-desk.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { ACME, BAY } from "../../../test/support/intuit.ts";
import { startApp } from "../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../test/support/uploads.ts";
import { HEADERS, invoiceLine, invoiceWorkbook } from "../../../test/support/workbooks.ts";

test("GEN-04 AP-14 a company without any subscription uploads a workbook and its invoices are in the books", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const before = (await app.intuit.invoices(ACME)).length;
  const reply = await uploadRows(browser, ACME, [
    invoiceLine("T-1"),
    invoiceLine("T-2", { Item: "TM-25", Qty: 1, Rate: 14.5, Amount: 14.5 }),
    invoiceLine("T-1", { Item: "Delivery", Qty: 1, Rate: 25, Amount: 25 }),
  ]);
  expect(reply.status).toBe(202);
  const list = await settledUploads(browser, ACME);
  expect(list).toMatchObject({ total_count: 1, in_process: false });
  expect(list.uploads[0]).toMatchObject({
    filename: "invoices.xlsx",
    counts: { total: 3, completed: 3, problems: 0, open: 0 },
    results: [
      { status: 0, rows: "2-4", message: "2 invoices posted.", invoices: 2 },
      {
        status: 7,
        rows: "4",
        message: expect.stringContaining("Its lines (rows 2 and 4) are combined."),
      },
    ],
  });
  const made = (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith("T-"));
  expect(await app.intuit.invoices(ACME)).toHaveLength(before + 2);
  expect(made.find(({ DocNumber }) => DocNumber === "T-1")).toMatchObject({
    TxnDate: "2026-11-02",
    TotalAmt: 64.9,
    CustomerRef: { name: "Cool Cars" },
  });
});

test("all errors of a file are reported at once, and nothing is posted for an invoice with an error", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const before = (await app.intuit.invoices(ACME)).length;
  await uploadRows(browser, ACME, [
    invoiceLine("E-1", { Customer: "Cool Carz" }),
    invoiceLine("E-2", { Item: "WIDGET-9" }),
    invoiceLine("E-3", { Amount: 40 }),
    invoiceLine("E-4", { "Invoice Date": "31/02/2026" }),
    invoiceLine("E-5"),
    invoiceLine("E-5", { Item: "WIDGET-9", Amount: 41 }),
    invoiceLine("E-6"),
  ]);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toEqual({ total: 7, completed: 1, problems: 6, open: 0 });
  const texts = Object.fromEntries(
    (upload?.results ?? []).map(({ rows, status, message }) => [rows, `${status} ${message}`]),
  );
  expect(texts["2"]).toMatch(/^2 B2: .*"Cool Carz".*Cool Cars/s);
  expect(texts["3"]).toMatch(/^2 D3: .*"WIDGET-9"/s);
  expect(texts["4"]).toMatch(/^2 G4: .*39\.90.*40\.00/s);
  expect(texts["5"]).toMatch(/^2 C5: .*31\/1\/2026/s);
  expect(texts["6"]).toBe("2 Not posted: row 7 of this invoice needs fixing first.");
  expect(texts["7"]).toMatch(/^2 D7: .*\nG7: /s);
  expect(texts["8"]).toBe("0 1 invoice posted.");
  expect(await app.intuit.invoices(ACME)).toHaveLength(before + 1);
});

test("a number that is already in the books is an error with its cell and its fix, before anything is sent", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const [known] = await app.intuit.invoices(ACME);
  const number = known?.DocNumber ?? "";
  await uploadRows(browser, ACME, [invoiceLine(number), invoiceLine("N-1")]);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results[0]).toMatchObject({ status: 2, rows: "2" });
  expect(upload?.results[0]?.message).toMatch(
    new RegExp(`^A2: Invoice ${number} already exists .* another number`),
  );
  expect(upload?.results[1]).toMatchObject({ status: 0, rows: "3" });
});

test("the same file again posts nothing twice, also under another name and when QuickBooks assigns the numbers", async () => {
  const app = await startApp();
  const browser = await app.owner(BAY, "platform@dockside.example");
  const bytes = await invoiceWorkbook([invoiceLine(""), invoiceLine("", { Customer: "Red Rock Diner" })]);
  const before = (await app.intuit.invoices(BAY)).length;
  for (const name of ["one.xlsx", "renamed.xlsx", "one.xlsx"]) {
    const reply = await browser.call(postInvoices, { query: { realm_id: BAY }, file: { name, bytes } });
    expect(reply.status).toBe(202);
  }
  const list = await settledUploads(browser, BAY);
  expect(await app.intuit.invoices(BAY)).toHaveLength(before + 2);
  expect(list.uploads.map(({ results }) => results[0]?.status).toSorted((a = 0, b = 0) => a - b)).toEqual([
    0, 7, 7,
  ]);
  const skipped = list.uploads.find(({ results }) => results[0]?.status === 7);
  expect(skipped?.counts).toEqual({ total: 2, completed: 0, problems: 0, open: 0, skipped: 2 });
  expect(skipped?.results.map(({ message }) => message)).toEqual(
    [1, 2].map(() =>
      expect.stringMatching(/^Skipped: already uploaded on \w+ \d+, \d{4} in "one\.xlsx" \(invoice \d+\)\.$/),
    ),
  );
});

test("UP-56 at 21:00 in New York an earlier upload and an undo show that day, although it is already tomorrow in UTC", async () => {
  const desk = await openDesk(1);
  const { app, browser, realmId } = desk;
  await sql`update company set time_zone = 'America/New_York' where realm_id = ${realmId}`.execute(app.db);
  const { id } = await desk.upload();
  await sql`update upload set uploaded_at = '2026-11-22T02:00:00Z' where id = ${id}`.execute(app.db);
  const again = await desk.upload();
  expect(again.results.map(({ message }) => message)).toEqual([
    expect.stringContaining('uploaded on November 21, 2026 in "november.xlsx"'),
  ]);

  await desk.undo(id);
  await sql`update write set settled_at = '2026-11-22T02:00:00Z' where operation = 'delete'`.execute(app.db);
  const asked = { params: { upload_id: id }, query: { realm_id: realmId } };
  const { results } = (await browser.call(listUploadResults, asked)).json() as Pick<
    UploadList["uploads"][number],
    "results"
  >;
  expect(results.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^Undone: invoice U.* was deleted in QuickBooks on November 21, 2026\.$/),
  ]);
  const receipt = (await browser.call(readReceipt, asked)).json() as Receipt;
  expect(receipt.invoices.map(({ sentence }) => sentence)).toEqual(results.map(({ message }) => message));
});

test("SC-08 a workbook with headers and nothing below them says so", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, []);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results).toEqual([expect.objectContaining({ status: 8 })]);
});

test("QC-23 an unchanged list answers 304, and a change brings a full answer again", async () => {
  const app = await startApp({ worker: false });
  const browser = await app.owner(ACME);
  const first = await browser.call(listUploads, { query: { realm_id: ACME } });
  const etag = first.headers.get("etag") ?? "";
  const again = () =>
    browser.call(listUploads, { query: { realm_id: ACME }, headers: { "if-none-match": etag } });
  expect((await again()).status).toBe(304);
  await uploadRows(browser, ACME, [invoiceLine("Q-1")]);
  const changed = await again();
  expect(changed.status).toBe(200);
  expect(changed.json() as UploadList).toMatchObject({
    in_process: true,
    uploads: [{ results: [{ status: 100, rows: "2" }] }],
  });
});

test("UP-42 the problem rows come back as a workbook with the reason beside each", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  await uploadRows(browser, ACME, [invoiceLine("P-1"), invoiceLine("P-2", { Item: "WIDGET-9" })]);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  const params = { upload_id: upload?.id ?? "" };
  const problems = await browser.call(listUploadResults, {
    params,
    query: { realm_id: ACME, filter: "problems" },
  });
  expect(problems.json()).toMatchObject({ results: [{ rows: "3", status: 2 }] });
  const file = await browser.download(downloadProblemRows, { params, query: { realm_id: ACME } });
  const [sheet] = readWorkbook(file).sheets;
  expect(sheet?.rows).toHaveLength(2);
  expect(sheet?.rows[0]?.cells.slice(0, 2)).toEqual(HEADERS.slice(0, 2));
  expect(sheet?.rows[1]?.cells[0]).toBe("P-2");
  expect(sheet?.rows[1]?.cells.at(-1)).toContain("WIDGET-9");
});

test("another company's upload is not found, for any user", async () => {
  const app = await startApp();
  const owner = await app.owner(ACME);
  await uploadRows(owner, ACME, [invoiceLine("X-1")]);
  const [upload] = (await settledUploads(owner, ACME)).uploads;
  const other = await app.owner(BAY, "platform@dockside.example");
  const params = { upload_id: upload?.id ?? "" };
  expect((await other.call(listUploadResults, { params, query: { realm_id: BAY } })).status).toBe(404);
  expect((await other.call(listUploadResults, { params, query: { realm_id: ACME } })).status).toBe(403);
});
