import { expect, test } from "vitest";
import {
  checkAgain,
  listCheckErrors,
  listCheckInvoices,
  readCheckInvoice,
  type ReviewInvoice,
  type ReviewProblem,
  type UploadCheck,
} from "#features/invoices/check/contract.ts";
import { readReceipt, type Receipt } from "#features/invoices/receipt/contract.ts";
import { downloadProblemRows } from "#features/invoices/contract.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { checkRows, postSeen, untilCheck } from "../../../../test/support/checks.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceLine } from "../../../../test/support/workbooks.ts";

const query = { realm_id: ACME };
const at = ({ id }: Pick<UploadCheck, "id">) => ({ params: { upload_id: id }, query });

async function listInvoices(browser: Browser, check: UploadCheck): Promise<ReviewInvoice[]> {
  const reply = await browser.call(listCheckInvoices, at(check));
  expect(reply.status).toBe(200);
  return (reply.json() as { invoices: ReviewInvoice[] }).invoices;
}

type Cell = { row: number; field: string; value: string };

const correct = (browser: Browser, { id, revision }: Pick<UploadCheck, "id" | "revision">, cells: Cell[]) =>
  browser.call(checkAgain, {
    params: { upload_id: id },
    query: { ...query, revision: `${revision}` },
    json: { cells },
  });

async function corrected(browser: Browser, check: UploadCheck, cells: Cell[]): Promise<UploadCheck> {
  expect((await correct(browser, check, cells)).status).toBe(202);
  return untilCheck(browser, ACME, { id: check.id, state: "checked" });
}

const ROWS = [
  invoiceLine("R-1"),
  invoiceLine("R-2"),
  invoiceLine("R-2", { Item: "TM-25", Qty: undefined, Rate: 14.5, Amount: 29 }),
  invoiceLine("R-3", { Customer: "Cool Carz" }),
  invoiceLine("R-4", { Rate: "1.234,50", Amount: undefined }),
  invoiceLine("R-5", { "Invoice Date": "32/03/2026" }),
];

test("a check shows every invoice that would be posted with its lines, and what holds back the others (UP-52)", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const check = await checkRows(browser, ACME, { rows: ROWS });
  const invoices = await listInvoices(browser, check);
  expect(invoices.map(({ doc_number, state, rows, lines }) => [doc_number, state, rows, lines])).toEqual([
    ["R-1", "ready", "2", 1],
    ["R-2", "ready", "3-4", 2],
    ["R-3", "answer", "5", 1],
    ["R-4", "fix", "6", 1],
    ["R-5", "fix", "7", 1],
  ]);
  expect(invoices[1]).toMatchObject({ customer: "Cool Cars", date: "2026-11-02", currency: "USD" });
  const total = invoices.reduce(
    (sum, { state, amount }) => sum + (state === "ready" ? Number(amount) : 0),
    0,
  );
  expect(total.toFixed(2)).toBe(check.report?.ready.amount);

  const opened = await browser.call(readCheckInvoice, { params: { upload_id: check.id, seq: "1" }, query });
  expect(opened.json()).toMatchObject({
    lines: [
      { row: 3, amount: expect.any(Number), filled: [] },
      {
        row: 4,
        item: "Tape Measure 25 ft",
        qty: 2,
        rate: 14.5,
        amount: 29,
        filled: [{ field: "qty", from: "sheet" }],
      },
    ],
    problems: [
      {
        severity: "warning",
        row: 4,
        field: "qty",
        header: "Qty",
        text: "Qty calculated from Amount ÷ Rate",
      },
    ],
  });

  const page = (await browser.call(listCheckErrors, at(check))).json() as {
    errors: ReviewProblem[];
    next: null;
  };
  expect(page.next).toBeNull();
  expect(page.errors.map(({ row, field, value, suggestion }) => [row, field, value, suggestion])).toEqual([
    [5, "customer", "Cool Carz", null],
    [6, "rate", "1.234,50", "1234.50"],
    [7, "invoiceDate", "32/03/2026", null],
  ]);
});

test("a check shows what it understood of invoices with a problem or an open question: dates, lines, and names as written (UP-52)", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const rows = [
    invoiceLine("R-3", { Customer: "Cool Carz", "Due Date": "2026-12-02" }),
    invoiceLine("R-4", { Rate: "1.234,50", Amount: undefined }),
    invoiceLine("R-4", { Item: "Hammr", Description: "Claw", Qty: 2, Rate: 14.5, Amount: 29 }),
    invoiceLine("R-5", { "Invoice Date": "32/03/2026", "Due Date": "2026-12-02" }),
    invoiceLine("R-6", { Terms: "Net 30" }),
  ];
  const check = await checkRows(browser, ACME, { rows });
  const invoices = await listInvoices(browser, check);
  expect(
    invoices.map(({ doc_number, state, date, due_date, is_due_derived }) => [
      doc_number,
      state,
      date,
      due_date,
      is_due_derived,
    ]),
  ).toEqual([
    ["R-3", "answer", "2026-11-02", "2026-12-02", false],
    ["R-4", "fix", "2026-11-02", null, false],
    ["R-5", "fix", null, "2026-12-02", false],
    ["R-6", "ready", "2026-11-02", "2026-12-02", true],
  ]);
  const opened = await browser.call(readCheckInvoice, { params: { upload_id: check.id, seq: "1" }, query });
  expect(opened.json()).toMatchObject({
    lines: [
      { row: 3, qty: null, rate: null, amount: null },
      { row: 4, item: "Hammr", description: "Claw", qty: 2, rate: 14.5, amount: 29, filled: [] },
    ],
  });
});

test("cells corrected in the review replace those of the file, are named, and are undone by the old value (UP-52)", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const check = await checkRows(browser, ACME, { rows: ROWS });
  const after = await corrected(browser, check, [
    { row: 6, field: "rate", value: "1234.50" },
    { row: 7, field: "invoiceDate", value: "2026-03-02" },
    { row: 2, field: "privateNote", value: "as agreed" },
    { row: 5, field: "qty", value: "3" },
  ]);
  expect(after.corrections.map(({ row, header, was, value }) => [row, header, was, value])).toEqual([
    [2, "Private Note", "", "as agreed"],
    [5, "Qty", "2", "3"],
    [6, "Rate", "1.234,50", "1234.50"],
    [7, "Invoice Date", "32/03/2026", "2026-03-02"],
  ]);
  expect((await listInvoices(browser, after)).map(({ state }) => state)).toEqual([
    "ready",
    "ready",
    "fix",
    "ready",
    "ready",
  ]);
  const back = await corrected(browser, after, [{ row: 7, field: "invoiceDate", value: "32/03/2026" }]);
  expect(back.corrections.map(({ row }) => row)).toEqual([2, 5, 6]);
  expect((await listInvoices(browser, back)).at(-1)).toMatchObject({ state: "fix" });

  expect((await postSeen(browser, ACME, back)).status).toBe(202);
  await untilCheck(browser, ACME, { id: check.id, state: "posted" });
  const { uploads } = await settledUploads(browser, ACME);
  expect(uploads[0]?.counts).toMatchObject({ completed: 4 });
  const receipt = await browser.call(readReceipt, at(check));
  expect((receipt.json() as Receipt).corrections).toEqual(back.corrections);
  const books = await app.intuit.invoices(ACME);
  const amounts = books.flatMap(({ DocNumber, TotalAmt }) =>
    DocNumber?.startsWith("R-") ? [[DocNumber, TotalAmt]] : [],
  );
  expect(amounts).toContainEqual(["R-4", 2469]);

  const left = readWorkbook(await browser.download(downloadProblemRows, at(check)));
  const rows = left.sheets[0]?.rows.map(({ cells }) => [cells[0], cells[4]]);
  expect(rows).toEqual([
    ["Invoice No", "Qty"],
    ["R-3", "3"],
    ["R-5", 2],
  ]);
});

test("the same file with the same corrections posts nothing twice, and what is refused changes nothing (UP-52)", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const rows = [
    invoiceLine("R-7"),
    invoiceLine("R-8"),
    invoiceLine("R-9", { Rate: "1.234,50", Amount: undefined }),
  ];
  const first = await checkRows(browser, ACME, { rows });
  const cells = [{ row: 4, field: "rate", value: "1234.50" }];
  await postSeen(browser, ACME, await corrected(browser, first, cells));
  await untilCheck(browser, ACME, { id: first.id, state: "posted" });
  await settledUploads(browser, ACME);
  const second = await corrected(browser, await checkRows(browser, ACME, { rows }), cells);
  expect(second.report).toMatchObject({ ready: { invoices: 0 }, skipped: { invoices: 3 } });
  expect((await uploadRows(browser, ACME, rows)).status).toBe(202);
  const { uploads } = await settledUploads(browser, ACME);
  expect(uploads[0]?.counts).toMatchObject({ completed: 0 });

  expect((await correct(browser, { ...second, revision: second.revision - 1 }, cells)).status).toBe(409);
  const unknown = await correct(browser, second, [{ row: 4, field: "color", value: "red" }]);
  expect([unknown.status, unknown.json()]).toMatchObject([400, { code: "field_unknown" }]);
  expect(await untilCheck(browser, ACME, { id: second.id, state: "checked" })).toEqual(second);
});
