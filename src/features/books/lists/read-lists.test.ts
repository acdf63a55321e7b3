import { expect, test } from "vitest";
import { checkInvoices, readCheck, type UploadCheck } from "#features/invoices/check/contract.ts";
import { postInvoices } from "#features/invoices/contract.ts";
import { readReceipt, type Receipt } from "#features/invoices/receipt/contract.ts";
import { previewUndo, type UndoStatus } from "#features/invoices/undo/contract.ts";
import { ACME, BAY } from "../../../../test/support/intuit.ts";
import { steppedClock } from "../../../../test/support/stepped-clock.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceWorkbook, type InvoiceRow } from "../../../../test/support/workbooks.ts";

const CSV = `Invoice No,Customer,Invoice Date,Item,Qty,Rate,Service Date,Class,Location,Ship Via,Ship Date,Tracking No
D-1,Cool Cars,2026-11-02,Claw Hammer,2,10,2026-11-01,Retail,North store,UPS,2026-11-03,1Z999
`;
const ALL_OFF = {
  SalesFormsPrefs: { AllowServiceDate: false, AllowShipping: false },
  AccountingInfoPrefs: { ClassTrackingPerTxnLine: false, TrackDepartments: false },
};

const line = (number: string, customer: string): InvoiceRow => ({
  "Invoice No": number,
  Customer: customer,
  "Invoice Date": "2026-11-02",
  Item: "Claw Hammer",
  Amount: 39.9,
});

const currencies = (home: object) => ({
  preferences: { CurrencyPrefs: { MultiCurrencyEnabled: true, HomeCurrency: home } },
});

/** Currencies that the check, the receipt and the undo of the same rows report. */
async function readCurrencies(realmId: string, rows: readonly InvoiceRow[], prepare: object) {
  const app = await startApp();
  await app.intuit.control(`companies/${realmId}`, prepare, "PATCH");
  await app.intuit.control(`books/${realmId}/Customer`, {
    DisplayName: "Maple Traders",
    CurrencyRef: { value: "CAD" },
  });
  const browser = await app.owner(realmId);
  const query = { realm_id: realmId };
  const file = { name: "money.xlsx", bytes: await invoiceWorkbook(rows) };
  const { id } = (await browser.call(checkInvoices, { query, file })).json() as { id: string };
  const check = async () =>
    (await browser.call(readCheck, { params: { upload_id: id }, query })).json() as UploadCheck;
  await app.settle();
  expect((await check()).state).toBe("checked");
  await uploadRows(browser, realmId, rows);
  const params = { upload_id: (await settledUploads(browser, realmId)).uploads[0]?.id ?? "" };
  const receipt = (await browser.call(readReceipt, { params, query })).json() as Receipt;
  const { preview } = (await browser.call(previewUndo, { params, query })).json() as UndoStatus;
  return {
    check: (await check()).report?.currencies,
    receipt: receipt.currencies,
    undo: preview?.currencies,
    each: Object.fromEntries(receipt.invoices.map((invoice) => [invoice.doc_number, invoice.currency])),
    books: await app.intuit.invoices(realmId),
  };
}

test("money is shown in the currency each customer is billed in, also for refused invoices; the list price is in the home currency alone", async () => {
  const listPrice = { Qty: 2, Amount: undefined };
  const rows = [
    line("C-1", "Cool Cars"),
    line("C-2", "Maple Traders"),
    line("C-3", "Nobody"),
    { ...line("C-4", "Maple Traders"), ...listPrice },
    { ...line("C-5", "Cool Cars"), ...listPrice },
  ];
  const currencyReport = await readCurrencies(ACME, rows, currencies({ value: "USD" }));
  expect(currencyReport).toMatchObject({
    check: ["CAD", "USD"],
    receipt: ["CAD", "USD"],
    undo: ["CAD", "USD"],
  });
  expect(currencyReport.each).toEqual({
    "C-1": "USD",
    "C-2": "CAD",
    "C-3": "USD",
    "C-4": "CAD",
    "C-5": "USD",
  });
  const posted = currencyReport.books.filter(({ DocNumber }) => DocNumber?.startsWith("C-"));
  expect(
    Object.fromEntries(posted.map((invoice) => [invoice.DocNumber, invoice.CurrencyRef?.value])),
  ).toEqual({
    "C-1": "USD",
    "C-2": "CAD",
    "C-5": "USD",
  });
});

test("the home currency comes from the company's own preferences", async () => {
  const currencyReport = await readCurrencies(
    BAY,
    [line("", "Maple Traders"), line("", "Nobody")],
    currencies({ value: "CAD" }),
  );
  expect(currencyReport).toMatchObject({ check: ["CAD"], receipt: ["CAD"], undo: ["CAD"] });
});

test("the check warns of fields that the company's preferences make QuickBooks drop, the receipt flags them, and an invoice without them is still recognized as ours", async () => {
  const app = await startApp({ clock: steppedClock() });
  const browser = await app.owner(ACME);
  await app.intuit.control(`companies/${ACME}`, { preferences: ALL_OFF }, "PATCH");
  const query = { realm_id: ACME };
  const file = { name: "dropped.csv", bytes: new TextEncoder().encode(CSV) };
  const { id } = (await browser.call(checkInvoices, { query, file })).json() as { id: string };
  const check = async () =>
    (await browser.call(readCheck, { params: { upload_id: id }, query })).json() as UploadCheck;
  await app.settle();
  expect((await check()).state).toBe("checked");
  const { report } = await check();
  expect(JSON.stringify(report?.problems).match(/QuickBooks won't keep/g)).toHaveLength(6);
  await app.intuit.control("faults", [
    { fault: "committed_answer_lost", match: { operation: "invoice.create" }, count: 1 },
    { fault: "503", match: { operation: "invoice.create" } },
  ]);
  await browser.call(postInvoices, { query, file });
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toEqual({ total: 1, completed: 1, problems: 0, open: 0 });
  const params = { upload_id: upload?.id ?? "" };
  const receipt = (await browser.call(readReceipt, { params, query })).json() as Receipt;
  expect(receipt).toMatchObject({ agrees: true, flag_count: 1 });
  expect(receipt.flags[0]?.differences).toEqual([
    { field: "ship_via", line: null, sent: "UPS", answered: "" },
    { field: "ship_date", line: null, sent: "2026-11-03", answered: "" },
    { field: "tracking_no", line: null, sent: "1Z999", answered: "" },
    { field: "location", line: null, sent: "North store", answered: "" },
    { field: "service_date", line: 1, sent: "2026-11-01", answered: "" },
    { field: "class", line: 1, sent: "Retail", answered: "" },
  ]);
  expect(receipt.flags[0]?.sentence).toContain("ship via UPS wasn't kept");
});
