import { expect, test } from "vitest";
import { listUploadResults, postInvoices } from "#features/invoices/contract.ts";
import { chooseColumns, listColumnChoices, readColumns } from "#features/invoices/workbook/contract.ts";
import type { SeenColumns } from "#features/sheets/contract.ts";
import { buildXlsx, type CellSpec, worksheet } from "#formats/xlsx/fixtures/build-xlsx.ts";
import type { Browser } from "../../../../test/support/browser.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { readCase } from "../../../../test/corpus/plan-case.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";

const query = { realm_id: ACME };

type Rows = readonly (readonly CellSpec[])[];

/** As QuickBooks exports a report: its name above, a grand total and the time below. */
const report = (name: string, headers: readonly string[], rows: Rows) => ({
  name: `${name}.xlsx`,
  bytes: buildXlsx({
    sheets: [
      {
        name,
        rows: [
          ["Acme Tools"],
          [name],
          ["November 1-30, 2026"],
          [],
          headers,
          ...rows,
          [],
          ["Thursday, Nov 26, 2026 09:12:44 AM GMT-8 - Accrual Basis"],
        ],
      },
    ],
  }),
});

const INVOICE_LIST = [
  "Date",
  "Transaction Type",
  "Num",
  "Name",
  "Memo/Description",
  "Due Date",
  "Amount",
  "Open Balance",
];
const TRANSACTION_LIST = [
  "Date",
  "Transaction Type",
  "Num",
  "Posting",
  "Name",
  "Memo/Description",
  "Account",
  "Split",
  "Amount",
];
const AR = "Accounts Receivable (A/R)";

const invoiceList = report("Invoice List", INVOICE_LIST, [
  ["11/02/2026", "Invoice", "L-1", "Cool Cars", "Service in October", "12/02/2026", 120.5, 0],
  ["11/17/2026", "Invoice", "L-2", "Red Rock Diner", null, "12/17/2026", 80, 30],
  ["11/18/2026", "Invoice", "L-3", "Cool Cars", null, "12/18/2026", 19.99, 19.99],
  ["TOTAL", null, null, null, null, null, 220.49, 49.99],
]);

const transactionList = report("Transaction List by Date", TRANSACTION_LIST, [
  ["11/02/2026", "Invoice", "T-1", "Yes", "Cool Cars", "Cleaning", AR, "Services", 75],
  ["11/02/2026", "Payment", null, "Yes", "Cool Cars", null, "Undeposited Funds", AR, -75],
  ["11/17/2026", "Credit Memo", "T-2", "Yes", "Red Rock Diner", null, AR, "Services", -10],
  ["11/18/2026", "Invoice", "T-3", "Yes", "Red Rock Diner", null, AR, "-Split-", 1234.56],
  ["TOTAL", null, null, null, null, null, null, null, 1224.56],
]);

const QUESTION = {
  field: "item",
  question: "Which product or service should these lines use?",
  value: null,
  names: expect.arrayContaining(["Consulting", "Claw Hammer"]),
};

const send = async (browser: Browser, file: { name: string; bytes: Uint8Array }) =>
  browser.call(postInvoices, { query, file });

test("QuickBooks' own Invoice List is posted to the cent after one question for the product or service, which is remembered", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  expect((await send(browser, invoiceList)).json()).toMatchObject({ status: 400, code: "template_mismatch" });
  const seen = (await browser.call(readColumns, { query, file: invoiceList })).json();
  expect(seen).toMatchObject({ for_all: QUESTION });
  const { columns } = seen as { columns: { header: string; guess: string | null; reason: string | null }[] };
  expect(columns.filter(({ reason, guess }) => reason ?? guess)).toMatchObject([
    { header: "Open Balance", guess: "ignore", sum: "49.99" },
  ]);
  const json = {
    columns: [{ header: "Open Balance", field: "ignore" }],
    values: [{ field: "item", value: "Consulting" }],
  };
  expect((await browser.call(chooseColumns, { query, json })).status).toBe(200);
  expect((await send(browser, invoiceList)).status).toBe(202);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toEqual({ total: 3, completed: 3, problems: 0, open: 0 });
  expect(await readPosted(app, "L-")).toEqual([
    ["L-1", "Cool Cars", "Consulting", 120.5, "Service in October"],
    ["L-2", "Red Rock Diner", "Consulting", 80, undefined],
    ["L-3", "Cool Cars", "Consulting", 19.99, undefined],
  ]);
  const notes = upload?.results.filter(({ remark }) => remark).map(({ message }) => message);
  expect(notes).toEqual(
    expect.arrayContaining([
      expect.stringContaining(
        'The file has no column for Item, so its lines use "Consulting", as chosen for this company.',
      ),
      expect.stringContaining('Column "Open Balance" (sum 49.99) was left out, as chosen'),
      expect.stringContaining("The total in the file matches its rows."),
    ]),
  );
  const later = (await browser.call(readColumns, { query, file: transactionList })).json();
  expect(later).toMatchObject({ for_all: { ...QUESTION, value: "Consulting" } });
});

test("QuickBooks' own Transaction List posts its invoices; payments and credit memos are held back by their type", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const values = [{ field: "item", value: "Consulting" }];
  await browser.call(chooseColumns, { query, json: { columns: [], values } });
  expect((await send(browser, transactionList)).status).toBe(202);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.counts).toEqual({ total: 4, completed: 2, problems: 2, open: 0 });
  expect(await readPosted(app, "T-")).toEqual([
    ["T-1", "Cool Cars", "Consulting", 75, "Cleaning"],
    ["T-3", "Red Rock Diner", "Consulting", 1234.56, undefined],
  ]);
  const params = { upload_id: upload?.id ?? "" };
  const reply = await browser.call(listUploadResults, { params, query: { ...query, filter: "problems" } });
  const { results } = reply.json() as { results: { rows: string; message: string }[] };
  expect(results.map(({ rows, message }) => `${rows} ${message}`)).toEqual([
    expect.stringMatching(/^7 .*Payment/),
    expect.stringMatching(/^8 .*Credit Memo/),
  ]);
});

test("a report by customer, with a blank first column for names and totals, is posted the same way", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const file = report(
    "Transaction List by Customer",
    ["", "Date", "Transaction Type", "Num", "Memo/Description", "Account", "Amount"],
    [
      ["Cool Cars"],
      [null, "11/02/2026", "Invoice", "C-1", null, AR, 40],
      [null, "11/18/2026", "Invoice", "C-2", null, AR, 5.25],
      ["Total for Cool Cars", null, null, null, null, null, 45.25],
      ["Red Rock Diner"],
      [null, "11/18/2026", "Invoice", "C-3", null, AR, 9],
      ["Total for Red Rock Diner", null, null, null, null, null, 9],
      ["TOTAL", null, null, null, null, null, 54.25],
    ],
  );
  await browser.call(chooseColumns, {
    query,
    json: { columns: [], values: [{ field: "item", value: "Consulting" }] },
  });
  expect((await send(browser, file)).status).toBe(202);
  await settledUploads(browser, ACME);
  expect(await readPosted(app, "C-")).toEqual([
    ["C-1", "Cool Cars", "Consulting", 40, undefined],
    ["C-2", "Cool Cars", "Consulting", 5.25, undefined],
    ["C-3", "Red Rock Diner", "Consulting", 9, undefined],
  ]);
});

test("without an amount, the total of each row is the amount; the chosen value is not used for files that have an item, and can be forgotten", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const headers = ["Invoice Date", "Invoice No", "Customer", "Invoice Total"];
  const totals = report("Invoices and Received Payments", headers, [
    ["11/22/2026", "R-1", "Cool Cars", 33.33],
    ["TOTAL", null, null, 33.33],
  ]);
  const values = [{ field: "item", value: "Consulting" }];
  await browser.call(chooseColumns, { query, json: { columns: [], values } });
  const own = report(
    "Own",
    [...headers.slice(0, 3), "Item", "Amount"],
    [["11/22/2026", "R-2", "Cool Cars", "Claw Hammer", 8]],
  );
  const unknown = report(
    "Other",
    [...headers.slice(0, 3), "Product line", "Amount"],
    [["11/22/2026", "R-3", "Cool Cars", "Claw Hammer", 8]],
  );
  expect((await send(browser, totals)).status).toBe(202);
  expect((await send(browser, own)).status).toBe(202);
  expect((await send(browser, unknown)).json()).toMatchObject({
    status: 400,
    detail: expect.stringContaining('Column "Product line" in D5 of sheet "Other" may be the Item'),
  });
  await settledUploads(browser, ACME);
  expect(await readPosted(app, "R-")).toEqual([
    ["R-1", "Cool Cars", "Consulting", 33.33, undefined],
    ["R-2", "Cool Cars", "Claw Hammer", 8, undefined],
  ]);
  const list = async () => (await browser.call(listColumnChoices, { query })).json();
  expect(await list()).toEqual({
    columns: [],
    sheets: [],
    values: [{ field: "item", header: "Item", value: "Consulting" }],
    row_marks: [],
    layouts: [],
  });
  await browser.call(chooseColumns, { query, json: { columns: [], values: [{ field: "item", value: "" }] } });
  expect(await list()).toEqual({ columns: [], sheets: [], values: [], row_marks: [], layouts: [] });
  const refused = await browser.call(chooseColumns, {
    query,
    json: { columns: [], values: [{ field: "customer", value: "Cool Cars" }] },
  });
  expect(refused.status).toBe(400);
});

/** Number, customer, item, total and description of posted invoices of one line. */
async function readPosted({ intuit }: Awaited<ReturnType<typeof startApp>>, prefix: string) {
  const posted = (await intuit.invoices(ACME)).filter(({ DocNumber }) => DocNumber?.startsWith(prefix));
  return posted
    .map(({ DocNumber, CustomerRef, TotalAmt, Line }) => {
      const sold = Line.filter(({ DetailType }) => DetailType === "SalesItemLineDetail");
      expect(sold).toHaveLength(1);
      const detail = sold[0]?.SalesItemLineDetail as { ItemRef?: { name: string } };
      return [DocNumber, CustomerRef.name, detail.ItemRef?.name, TotalAmt, sold[0]?.Description];
    })
    .toSorted((a, b) => String(a[0]).localeCompare(String(b[0])));
}

test("SH-01 SH-02 non-billable hours raise one question, with their rows and amount, and are not posted; the answer is kept until the user deletes it", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const text = [
    "Invoice No,Date,Client,Item,Hours,Billable,Rate",
    "HV-1,2026-11-20,Cool Cars,Consulting,2.5,Yes,60",
    "HV-1,2026-11-20,Cool Cars,Consulting,1,No,60",
  ];
  const hours = (name: string, lines = text) => ({ name, bytes: Buffer.from(lines.join("\n")) });
  const refused = (await send(browser, hours("hours.csv"))).json();
  expect(refused).toMatchObject({
    code: "template_mismatch",
    detail: '"Billable" in F1 says No (row 3). Should these rows be billed? Choose for each.',
  });
  const seen = (await browser.call(readColumns, { query, file: hours("hours.csv") })).json();
  const value = (value: string, rows: string, amount: string, guess: boolean) => ({
    value,
    rows,
    count: 1,
    amount,
    is_billed: null,
    guess,
  });
  expect(seen).toMatchObject({
    row_marks: [
      {
        header: "Billable",
        column: "F",
        values: [value("Yes", "2", "150.00", true), value("No", "3", "60.00", false)],
      },
    ],
  });
  const of = (seen as SeenColumns).row_marks[0]?.of ?? "";
  const rowMarks = [{ of, value: "No", is_billed: false as boolean | null }];
  await browser.call(chooseColumns, { query, json: { columns: [], row_marks: rowMarks } });
  expect((await send(browser, hours("hours.csv"))).status).toBe(202);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(await readPosted(app, "HV-")).toEqual([["HV-1", "Cool Cars", "Consulting", 150, undefined]]);
  expect(upload?.results.map(({ message }) => message).join()).toMatch(
    /Row 3 is not billed \(60\.00\): "Billable" is "No", as chosen by \S+ on /,
  );

  const next = text.map((line) => line.replace("HV-1", "HV-2"));
  expect((await send(browser, hours("next.csv", next))).status).toBe(202);
  expect((await browser.call(listColumnChoices, { query })).json()).toMatchObject({ row_marks: rowMarks });
  await browser.call(chooseColumns, {
    query,
    json: { columns: [], row_marks: [{ of, value: "No", is_billed: null }] },
  });
  expect((await send(browser, hours("third.csv", next))).status).toBe(400);
});

/** Two invoices, of 10.00 and 20.00; the row of the second is hidden. */
function withHiddenRow(prefix: string, ...more: string[]) {
  const rows = [
    ["Invoice No", "Customer", "Invoice Date", "Item", "Amount", ...more],
    [`${prefix}-1`, "Cool Cars", "2026-11-20", "Claw Hammer", "10"],
    [`${prefix}-2`, "Cool Cars", "2026-11-20", "Claw Hammer", "20"],
  ];
  const xml = rows.map((cells, at) => {
    const texts = cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`);
    return `<row r="${at + 1}"${at === 2 ? ' hidden="1"' : ""}>${texts.join("")}</row>`;
  });
  const bytes = buildXlsx({ sheets: [{ name: "Sheet1", sheetXml: worksheet(xml.join("")) }] });
  return { name: `${prefix}.xlsx`, bytes };
}

test("SH-03 rows hidden in the sheet are asked about once, with their money, and left out or billed as answered in all sheets of the same columns", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const asked = {
    code: "template_mismatch",
    detail: 'Row 3 of sheet "Sheet1" is hidden. Should these rows be billed? Choose for each.',
  };
  expect((await send(browser, withHiddenRow("HA"))).json()).toMatchObject(asked);
  const seen = (await browser.call(readColumns, { query, file: withHiddenRow("HA") })).json();
  const { row_marks: rowMarks } = seen as { row_marks: { of: string }[] };
  expect(rowMarks).toMatchObject([
    {
      column: null,
      values: [{ value: "hidden", rows: "3", amount: "20.00", is_billed: null, guess: false }],
    },
  ]);
  const of = rowMarks[0]?.of ?? "";
  const answer = (isBilled: boolean) =>
    browser.call(chooseColumns, {
      query,
      json: { columns: [], row_marks: [{ of, value: "hidden", is_billed: isBilled }] },
    });
  await answer(false);
  expect((await send(browser, withHiddenRow("HA"))).status).toBe(202);
  expect((await send(browser, withHiddenRow("HB"))).status).toBe(202);
  await settledUploads(browser, ACME);
  await answer(true);
  expect((await send(browser, withHiddenRow("HC"))).status).toBe(202);
  expect((await send(browser, withHiddenRow("HD", "Terms"))).json()).toMatchObject(asked);
  await settledUploads(browser, ACME);
  const numbers = (await readPosted(app, "H")).map(([number]) => number);
  expect(numbers).toEqual(["HA-1", "HB-1", "HC-1", "HC-2"]);
});

test('SH-01 when only the user can know what "yes" means, no answer is proposed, and the file is refused until each value is answered', async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const rows = ["CV-1,2026-11-20,Cool Cars,Claw Hammer,40,Y", "CV-2,2026-11-20,Cool Cars,Claw Hammer,60,N"];
  const file = {
    name: "covered.csv",
    bytes: Buffer.from(["Invoice No,Date,Client,Item,Amount,Covered", ...rows].join("\n")),
  };
  const ofValue = (value: string, row: number) => ({
    code: "template_mismatch",
    detail: `"Covered" in F1 says ${value} (row ${row}). Should these rows be billed? Choose for each.`,
  });
  expect((await send(browser, file)).json()).toMatchObject({
    detail: '"Covered" in F1 says Y and N (rows 2-3). Should these rows be billed? Choose for each.',
  });
  const seen = (await browser.call(readColumns, { query, file })).json();
  expect(seen).toMatchObject({
    row_marks: [
      {
        header: "Covered",
        values: [
          {
            value: "Y",
            guess: null,
            is_billed: null,
            examples: [{ row: "2", texts: ["Y", "CV-1", "2026-11-20", "Cool Cars", "Claw Hammer", "40.00"] }],
          },
          { value: "N", guess: null, is_billed: null },
        ],
      },
    ],
  });
  const of = (seen as SeenColumns).row_marks[0]?.of ?? "";
  const answer = (value: string, is_billed: boolean) =>
    browser.call(chooseColumns, {
      query,
      json: { columns: [], row_marks: [{ of, value, is_billed }] },
    });
  await answer("Y", false);
  expect((await send(browser, file)).json()).toMatchObject(ofValue("N", 3));
  await answer("N", true);
  expect((await send(browser, file)).status).toBe(202);
  await settledUploads(browser, ACME);
  expect(await readPosted(app, "CV-")).toEqual([["CV-2", "Cool Cars", "Claw Hammer", 60, undefined]]);
});

test("SH-02 SH-08 a shop's export is shown once for confirmation, is then read without a question, and can be forgotten", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const shop = (name: string, number: string) => ({
    name,
    bytes: Buffer.from(
      Buffer.from(readCase("h01-shop-orders-whole-layout.csv")).toString().replaceAll("#21", `#${number}`),
    ),
  });
  expect((await send(browser, shop("shop.csv", "31"))).json()).toMatchObject({
    code: "template_mismatch",
    detail: "This looks like a Shopify order export. Check how we matched its columns, then continue.",
  });
  const seen = (await browser.call(readColumns, { query, file: shop("shop.csv", "31") })).json();
  expect(seen).toMatchObject({ layout: { name: "shopify", title: "Shopify order export" } });
  const rowMarks = (seen as { row_marks: { of: string; values: { value: string; guess: boolean }[] }[] })
    .row_marks;
  const answers = rowMarks.flatMap(({ of, values }) =>
    values.map(({ value, guess }) => ({ of, value, is_billed: guess })),
  );
  const json = { columns: [], layout: { name: "shopify", is_used: true }, row_marks: answers };
  expect((await browser.call(chooseColumns, { query, json })).status).toBe(200);
  expect((await send(browser, shop("shop.csv", "31"))).status).toBe(202);
  expect((await browser.call(listColumnChoices, { query })).json()).toMatchObject({
    columns: [],
    layouts: [{ name: "shopify", title: "Shopify order export", is_used: true }],
  });
  expect((await send(browser, shop("next.csv", "41"))).status).toBe(202);
  const forget = { columns: [], layout: { name: "shopify", is_used: null } };
  expect((await browser.call(chooseColumns, { query, json: forget })).status).toBe(200);
  expect((await send(browser, shop("third.csv", "51"))).status).toBe(400);
});
