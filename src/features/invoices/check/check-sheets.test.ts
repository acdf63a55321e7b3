import { expect, test } from "vitest";
import {
  checkAgain,
  checkInvoices,
  listCheckErrors,
  listCheckInvoices,
  readCheckInvoice,
} from "#features/invoices/check/contract.ts";
import { downloadProblemRows, listUploadResults, postInvoices } from "#features/invoices/contract.ts";
import { type Receipt, readReceipt } from "#features/invoices/receipt/contract.ts";
import { chooseColumns, listColumnChoices, readColumns } from "#features/invoices/workbook/contract.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { buildXlsx, type CellSpec } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { postSeen, untilCheck } from "../../../../test/support/checks.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";
import { HEADERS, invoiceLine, type InvoiceRow } from "../../../../test/support/workbooks.ts";

const query = { realm_id: ACME };

const month = (name: string, ...rows: InvoiceRow[]) => ({
  name,
  rows: [[...HEADERS], ...rows.map((row) => HEADERS.map((header) => row[header] as CellSpec))],
});

test("a workbook with a sheet per month is reviewed, corrected and posted, each row named with its sheet", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const bytes = buildXlsx({
    sheets: [
      month("March", invoiceLine("S-1"), invoiceLine("S-2", { Rate: "x" })),
      month("April", invoiceLine("S-3", { Rate: "y" })),
      month("May"),
      month("June", invoiceLine("S-4"), invoiceLine("S-4", { Item: "Delivery", Qty: 1, Rate: 5, Amount: 5 })),
    ],
  });
  const file = { name: "months.xlsx", bytes };
  const sent = await browser.call(checkInvoices, { query, file });
  expect(sent.status).toBe(202);
  const { id } = sent.json() as { id: string };
  const check = await untilCheck(browser, ACME, { id, state: "checked" });
  const params = { upload_id: id };
  const list = await browser.call(listCheckInvoices, { params, query });
  const { invoices } = list.json() as { invoices: { doc_number: string; rows: string; seq: number }[] };
  expect(invoices.map(({ doc_number, rows }) => `${doc_number} ${rows}`)).toEqual([
    "S-1 March!2",
    "S-2 March!3",
    "S-3 April!2",
    "S-4 June!2-3",
  ]);
  const { errors } = (await browser.call(listCheckErrors, { params, query })).json() as {
    errors: { row: number; place: string; field: string; doc_number: string }[];
  };
  expect(errors.map(({ doc_number, place }) => [doc_number, place])).toEqual([
    ["S-2", "March!3"],
    ["S-3", "April!2"],
  ]);
  const opened = await browser.call(readCheckInvoice, { params: { ...params, seq: "3" }, query });
  expect((opened.json() as { lines: { place: string }[] }).lines.map(({ place }) => place)).toEqual([
    "June!2",
    "June!3",
  ]);
  const json = { cells: [{ row: errors[1]?.row ?? 0, field: "rate", value: "19.95" }], invoices: [] };
  const again = { params, query: { ...query, revision: `${check.revision}` }, json };
  expect((await browser.call(checkAgain, again)).status).toBe(202);
  const answered = await untilCheck(browser, ACME, { id, state: "checked" });
  expect(answered.corrections).toMatchObject([{ place: "April!2", was: "y", value: "19.95" }]);
  expect(answered.report?.problems.map(({ text, rows }) => `${rows}: ${text}`)).toEqual(
    expect.arrayContaining([
      "March!3: Enter a number.",
      'March!1: Sheets "March", "April", and "June" were read.',
    ]),
  );
  expect((await postSeen(browser, ACME, answered)).status).toBe(202);
  await untilCheck(browser, ACME, { id, state: "posted" });
  await settledUploads(browser, ACME);
  const posted = (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith("S-"));
  expect(new Set(posted.map(({ DocNumber }) => DocNumber))).toEqual(new Set(["S-1", "S-3", "S-4"]));
  expect(posted).toHaveLength(3);
  const receipt = (await browser.call(readReceipt, { params, query })).json() as Receipt;
  expect(receipt.invoices.map(({ rows, sentence }) => [rows, sentence])).toEqual([
    ["March!2", ""],
    ["March!3", "March!F3: Enter a number."],
    ["April!2", ""],
    ["June!2-3", ""],
  ]);
  expect(receipt).toMatchObject({ missing_rows: 0, unread_sheets: [], agrees: true });
  const results = await browser.call(listUploadResults, { params, query });
  expect((results.json() as { results: { rows: string }[] }).results.map(({ rows }) => rows)).toEqual(
    expect.arrayContaining(["March!2", "March!3", "April!2", "June!2-3"]),
  );
  const workbook = await browser.download(downloadProblemRows, { params, query });
  const [sheet] = readWorkbook(workbook).sheets;
  expect(sheet?.rows.map(({ cells }) => [cells[0], ...cells.slice(-2)])).toEqual([
    ["Invoice No", "Row in months.xlsx", "Reason"],
    ["S-2", "March!3", "Enter a number."],
  ]);
});

test("a sheet for the whole year among its months raises one question, and the answer is remembered and can be forgotten", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const file = {
    name: "year.xlsx",
    bytes: buildXlsx({
      sheets: [
        month("Year", invoiceLine("Y-1"), invoiceLine("Y-2")),
        month("March", invoiceLine("Y-1")),
        month("April", invoiceLine("Y-2")),
      ],
    }),
  };
  const refused = await browser.call(postInvoices, { query, file });
  expect([refused.status, refused.json()]).toMatchObject([400, { code: "template_mismatch" }]);
  expect((refused.json() as { detail: string }).detail).toContain(
    'Invoice No Y-1 is on sheets "Year" and "March".',
  );
  const seen = await browser.call(readColumns, { query, file });
  expect((seen.json() as { sheets: unknown }).sheets).toEqual(
    ["Year", "March", "April"].map((sheet) => ({ sheet, is_read: true })),
  );
  const choose = (is_read: boolean) =>
    browser.call(chooseColumns, { query, json: { columns: [], sheets: [{ sheet: "Year", is_read }] } });
  expect((await choose(false)).status).toBe(200);
  const choices = async () => (await browser.call(listColumnChoices, { query })).json();
  expect(await choices()).toEqual({ columns: [], row_marks: [], layouts: [], sheets: ["Year"], values: [] });
  expect((await browser.call(postInvoices, { query, file })).status).toBe(202);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  const posted = (await app.intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith("Y-"));
  expect(posted).toHaveLength(2);
  const params = { upload_id: upload?.id ?? "" };
  const receipt = (await browser.call(readReceipt, { params, query })).json() as Receipt;
  expect(receipt.unread_sheets).toEqual(["Year"]);
  expect((await choose(true)).status).toBe(200);
  expect(await choices()).toEqual({ columns: [], row_marks: [], layouts: [], sheets: [], values: [] });
});
