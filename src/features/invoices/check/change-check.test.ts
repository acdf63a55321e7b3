import { expect, test } from "vitest";
import {
  checkAgain,
  type CheckError,
  checkInvoices,
  listCheckErrors,
  listCheckInvoices,
  type ReviewInvoice,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { downloadProblemRows } from "#features/invoices/contract.ts";
import { readReceipt, type Receipt } from "#features/invoices/receipt/contract.ts";
import { chooseColumns } from "#features/invoices/workbook/contract.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { checkRows, postSeen, untilCheck } from "../../../../test/support/checks.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceLine } from "../../../../test/support/workbooks.ts";

const query = { realm_id: ACME };

type Changes = {
  cells?: { row: number; field: string; value: string }[];
  invoices?: { row: number; is_left_out: boolean }[];
};

const ask = (browser: Browser, { id, revision }: UploadCheck, { cells = [], invoices = [] }: Changes) =>
  browser.call(checkAgain, {
    params: { upload_id: id },
    query: { ...query, revision: `${revision}` },
    json: { cells, invoices },
  });

async function changed(browser: Browser, check: UploadCheck, changes: Changes): Promise<UploadCheck> {
  expect((await ask(browser, check, changes)).status).toBe(202);
  return untilCheck(browser, ACME, { id: check.id, state: "checked" });
}

async function listed(browser: Browser, check: UploadCheck): Promise<ReviewInvoice[]> {
  const reply = await browser.call(listCheckInvoices, { params: { upload_id: check.id }, query });
  return (reply.json() as { invoices: ReviewInvoice[] }).invoices;
}

async function numbersIn(browser: Browser, check: UploadCheck) {
  return (await listed(browser, check)).map(({ doc_number, state }) => `${doc_number} ${state}`);
}

const ROWS = [
  invoiceLine("L-1"),
  invoiceLine("L-2"),
  invoiceLine("L-3", { Rate: "1.234,50", Amount: undefined }),
  invoiceLine("L-2", { Item: "Delivery", Qty: 1, Rate: 25, Amount: 25 }),
  invoiceLine("L-4"),
  invoiceLine("L-5", { "Invoice Date": "32/03/2026" }),
];

test("an invoice left out in the review is left out with all its rows, comes back with all of them, and is in no count of the upload (UP-52)", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const check = await checkRows(browser, ACME, { rows: ROWS });
  expect(await numbersIn(browser, check)).toEqual([
    "L-1 ready",
    "L-2 ready",
    "L-3 fix",
    "L-4 ready",
    "L-5 fix",
  ]);

  const without = await changed(browser, check, {
    cells: [{ row: 4, field: "rate", value: "1234.50" }],
    invoices: [
      { row: 5, is_left_out: true },
      { row: 7, is_left_out: true },
      { row: 6, is_left_out: true },
    ],
  });
  expect(await numbersIn(browser, without)).toEqual(["L-1 ready", "L-3 ready"]);
  expect(without.left_out).toEqual([
    { row: 3, rows: "3 and 5", doc_number: "L-2", amount: expect.any(String), currency: "USD" },
    { row: 6, rows: "6", doc_number: "L-4", amount: expect.any(String), currency: "USD" },
    { row: 7, rows: "7", doc_number: "L-5", amount: expect.any(String), currency: "USD" },
  ]);
  expect(without.report).toMatchObject({ total: { invoices: 2 }, rejected: { invoices: 0 } });

  const back = await changed(browser, without, { invoices: [{ row: 3, is_left_out: false }] });
  expect(await numbersIn(browser, back)).toEqual(["L-1 ready", "L-2 ready", "L-3 ready"]);
  expect(back.corrections).toMatchObject([{ row: 4, value: "1234.50" }]);

  expect((await postSeen(browser, ACME, back)).status).toBe(202);
  await untilCheck(browser, ACME, { id: check.id, state: "posted" });
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toEqual({ total: 4, completed: 4, problems: 0, open: 0 });
  const posted = (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith("L-"));
  expect(posted).toHaveLength(3);
  expect(new Set(posted.map(({ DocNumber }) => DocNumber))).toEqual(new Set(["L-1", "L-2", "L-3"]));
  const receipt = await browser.call(readReceipt, { params: { upload_id: check.id }, query });
  expect(receipt.json() as Receipt).toMatchObject({
    read: { invoices: 5 },
    omitted: { invoices: 2 },
    posted: { invoices: 3 },
    missing_rows: 0,
    agrees: true,
    left_out: [{ doc_number: "L-4" }, { doc_number: "L-5" }],
  });

  // Uploaded as it came, the file brings what was left out, and nothing twice.
  await uploadRows(browser, ACME, ROWS);
  const again = (await settledUploads(browser, ACME)).uploads[0];
  expect(again?.invoices).toMatchObject({ total: 5, posted: 1 });
});

test("with every invoice left out nothing remains to be posted, and each can be put back (UP-52)", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const check = await checkRows(browser, ACME, { rows: ROWS.slice(0, 2) });
  const none = await changed(browser, check, {
    invoices: [
      { row: 2, is_left_out: true },
      { row: 3, is_left_out: true },
    ],
  });
  expect(none.report).toMatchObject({ total: { invoices: 0 }, ready: { invoices: 0 } });
  expect(none.left_out.map(({ row }) => row)).toEqual([2, 3]);
  expect((await postSeen(browser, ACME, none)).status).toBe(409);
  const back = await changed(browser, none, { invoices: [{ row: 3, is_left_out: false }] });
  expect(await numbersIn(browser, back)).toEqual(["L-2 ready"]);
  expect(back.left_out.map(({ row }) => row)).toEqual([2]);
});

test("leaving out another row of an invoice that is left out changes nothing, and keeps what was typed meanwhile (UP-52)", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const check = await checkRows(browser, ACME, { rows: ROWS });
  const without = await changed(browser, check, { invoices: [{ row: 3, is_left_out: true }] });
  const again = await changed(browser, without, {
    cells: [{ row: 4, field: "rate", value: "1234.50" }],
    invoices: [
      { row: 5, is_left_out: true },
      { row: 6, is_left_out: true },
    ],
  });
  expect(again.left_out).toMatchObject([
    { row: 3, rows: "3 and 5", doc_number: "L-2" },
    { row: 6, rows: "6", doc_number: "L-4" },
  ]);
  expect(again.corrections).toMatchObject([{ row: 4, value: "1234.50" }]);
  expect(await numbersIn(browser, again)).toEqual(["L-1 ready", "L-3 ready", "L-5 fix"]);
  const back = await changed(browser, again, { invoices: [{ row: 5, is_left_out: false }] });
  expect(await numbersIn(browser, back)).toEqual(["L-1 ready", "L-2 ready", "L-3 ready", "L-5 fix"]);
});

test("rows that are in no invoice can't be left out, and the spreadsheet of problem rows omits what was left out (UP-52)", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const check = await checkRows(browser, ACME, { rows: ROWS });
  const refused = await ask(browser, check, { invoices: [{ row: 99, is_left_out: true }] });
  expect([refused.status, refused.json()]).toMatchObject([400, { code: "row_unknown" }]);
  const without = await changed(browser, check, { invoices: [{ row: 4, is_left_out: true }] });
  const bytes = await browser.download(downloadProblemRows, { params: { upload_id: without.id }, query });
  const numbers = readWorkbook(bytes).sheets[0]?.rows.map(({ cells }) => cells[0]);
  expect(numbers).toEqual(["Invoice No", "L-5"]);
});

test("rows that become lines through a column chosen after the check are counted, and the receipt agrees (UP-52)", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const text = [
    "Invoice No,Customer,Invoice Date,Item,Amount,Anmerkung",
    "N-1,Cool Cars,2026-11-02,Claw Hammer,19.95,",
    ",,,,,Delivered to the back door",
  ];
  const file = { name: "notes.csv", bytes: Buffer.from(text.join("\n")) };
  const { id } = (await browser.call(checkInvoices, { query, file })).json() as { id: string };
  const before = await untilCheck(browser, ACME, { id, state: "checked" });
  expect(before.report?.total).toMatchObject({ invoices: 1, rows: 1 });

  const columns = [{ header: "Anmerkung", field: "description" }];
  expect((await browser.call(chooseColumns, { query, json: { columns } })).status).toBe(200);
  const after = await changed(browser, before, {});
  expect(after.report?.total).toMatchObject({ invoices: 1, rows: 2 });
  await postSeen(browser, ACME, after);
  await untilCheck(browser, ACME, { id, state: "posted" });
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toEqual({ total: 2, completed: 2, problems: 0, open: 0 });
  const receipt = (await browser.call(readReceipt, { params: { upload_id: id }, query })).json() as Receipt;
  expect(receipt).toMatchObject({ missing_rows: 0, agrees: true });
});

test("a wrong date says how to type it in the file's own order, and one typed that way is read that way: April 3 where the day comes first", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const rows = ["25/03/2026", "32/03/2026", "3/4/2026", undefined].map((date, index) =>
    invoiceLine(`DF-${index}`, { "Invoice Date": date }),
  );
  const check = await checkRows(browser, ACME, { rows });
  const reply = await browser.call(listCheckErrors, { params: { upload_id: check.id }, query });
  expect(
    (reply.json() as { errors: CheckError[] }).errors.map(({ row, text, date_order }) => [
      row,
      text,
      date_order,
    ]),
  ).toEqual([
    [3, "We can't read this date. Type it like the others: 31/1/2026.", "dmy"],
    [5, "Invoice Date is missing.", "dmy"],
  ]);
  const typed = await changed(browser, check, {
    cells: [
      { row: 2, field: "invoiceDate", value: "2/5/2026" },
      { row: 3, field: "invoiceDate", value: "3/4/2026" },
      { row: 5, field: "invoiceDate", value: "1/31/2026" },
    ],
  });
  expect((await listed(browser, typed)).map(({ doc_number, date }) => [doc_number, date])).toEqual([
    ["DF-0", "2026-05-02"],
    ["DF-1", "2026-04-03"],
    ["DF-2", "2026-04-03"],
    ["DF-3", "2026-01-31"],
  ]);
});
