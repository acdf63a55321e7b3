import { read } from "@e965/xlsx";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { checkInvoices } from "#features/invoices/check/contract.ts";
import { downloadProblemRows, postInvoices } from "#features/invoices/contract.ts";
import { buildXlsx } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { checkRows, postSeen, untilCheck } from "../../../../test/support/checks.ts";
import { settledUploads, uploadRows } from "../../../../test/support/uploads.ts";
import { invoiceLine, type InvoiceRow, invoiceWorkbook } from "../../../../test/support/workbooks.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Qty", "Rate", "Amount", "Branch"];
const row = (number: string, item = "Claw Hammer", amount = 39.9) => [
  number,
  "Cool Cars",
  { date: 46_328 },
  item,
  2,
  19.95,
  amount,
  "North",
];

const source = () =>
  buildXlsx({
    sheets: [
      { name: "Cover", rows: [["March"]] },
      {
        name: "Lines",
        rows: [
          ["Our invoices"],
          HEADERS,
          row("W-1"),
          row("W-2", "WIDGET-9"),
          row("W-3"),
          row("W-2"),
          row("W-4", "Claw Hammer", 41),
        ],
      },
    ],
    formats: ["dd\\.mm\\.yyyy"],
  });

test("UP-42 UP-53 the problem workbook has only complete unposted invoices, with wrong cells marked, and posts only those", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const query = { realm_id: ACME };
  const before = (await app.intuit.invoices(ACME)).length;
  await browser.call(postInvoices, { query, file: { name: "march.xlsx", bytes: source() } });
  const [first] = (await settledUploads(browser, ACME)).uploads;
  expect(first?.counts).toEqual({ total: 5, completed: 2, problems: 3, open: 0 });
  const params = { upload_id: first?.id ?? "" };
  const file = await browser.download(downloadProblemRows, { params, query });

  const { sheets } = readWorkbook(file);
  const reasons = {
    item: '"WIDGET-9" isn\'t an item in QuickBooks.',
    blocked: 'Not posted: row 4 of "march.xlsx" of this invoice needs fixing first.',
    amount: "2 × $19.95 is $39.90, not $41.00.",
  };
  const day = { kind: "date", y: 2026, m: 11, d: 2, seconds: 0 };
  const cells = (no: string, item = "Claw Hammer", amount = 39.9) => [
    no,
    "Cool Cars",
    day,
    item,
    2,
    19.95,
    amount,
    "North",
  ];
  expect(sheets.map(({ name, rows }) => [name, rows.map((each) => each.cells)])).toEqual([
    [
      "Invoices",
      [
        [...HEADERS, "Row in march.xlsx", "Reason"],
        [...cells("W-2", "WIDGET-9"), 4, expect.stringContaining(reasons.item)],
        [...cells("W-2"), 6, reasons.blocked],
        [...cells("W-4", "Claw Hammer", 41), 7, reasons.amount],
      ],
    ],
  ]);

  const other = read(file, { cellStyles: true }).Sheets["Invoices"] ?? {};
  const commented = Object.entries(other).flatMap(([place, cell]) =>
    cell?.c ? [[place, cell.c[0].t, cell.s?.fgColor?.rgb]] : [],
  );
  expect(commented).toEqual([
    ["D2", expect.stringContaining(reasons.item), "FFD9D6"],
    ["G4", reasons.amount, "FFD9D6"],
  ]);
  expect([other["I2"]?.v, other["I4"]?.v, other["G2"]?.s?.fgColor]).toEqual([4, 7, undefined]);
  expect(other["!autofilter"]).toEqual({ ref: "A1:J4" });

  const corrected = Buffer.from(file);
  const again = await browser.call(postInvoices, { query, file: { name: "again.xlsx", bytes: corrected } });
  expect(again.status).toBe(202);
  const [second] = (await settledUploads(browser, ACME)).uploads;
  expect(second?.counts).toEqual({ total: 3, completed: 0, problems: 3, open: 0 });
  const messages = second?.results.map(({ message }) => message) ?? [];
  expect(messages.some((message) => /"(?:Reason|Row in)/.test(message))).toBe(false);
  expect(messages.some((message) => message.includes('"Branch" isn\'t used'))).toBe(true);

  const repaired = buildXlsx({
    sheets: [
      { name: "Lines", rows: [[...HEADERS, "Reason"], [...row("W-2"), "old"], row("W-2"), row("W-4")] },
    ],
  });
  await browser.call(postInvoices, { query, file: { name: "repaired.xlsx", bytes: repaired } });
  const [third] = (await settledUploads(browser, ACME)).uploads;
  expect(third?.counts).toEqual({ total: 3, completed: 3, problems: 0, open: 0 });
  expect(await app.intuit.invoices(ACME)).toHaveLength(before + 4);
});

test("UP-53 a check has its problem workbook before anything is posted, with the wrong cells marked", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const rows = [invoiceLine("C-1"), invoiceLine("C-2", { Qty: "two" })];
  const check = await checkRows(browser, ACME, { rows });
  const at = { params: { upload_id: check.id }, query: { realm_id: ACME } };
  const file = await browser.download(downloadProblemRows, at);
  const { rows: read } = readWorkbook(file).sheets[0] ?? {};
  const qty = read?.[0]?.cells.indexOf("Qty") ?? -1;
  const reason = "Enter a number.";
  expect(read?.map(({ cells }) => cells.slice(-2))).toEqual([
    [`Row in ${check.filename}`, "Reason"],
    [3, reason],
  ]);
  const [sheet] = (await readXlsx(file)).sheets;
  expect(sheet?.cells?.get(`1,${qty}`)).toMatchObject({ comment: { text: reason } });
  expect(sheet?.freezePane).toEqual({ rows: 1 });
});

test("a CSV upload is posted, and its problem rows come back as a workbook with all its columns", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const query = { realm_id: ACME };
  const text = [
    "Invoice No,Customer,Invoice Date,Item,Qty,Rate,Amount,Branch",
    "00451,Cool Cars,2026-11-02,Claw Hammer,2,19.95,39.90,North",
    "00452,Cool Cars,2026-11-02,WIDGET-9,2,19.95,39.90,=1+1",
  ].join("\r\n");
  const reply = await browser.call(postInvoices, {
    query,
    file: { name: "march.csv", bytes: Buffer.from(text) },
  });
  expect(reply.status).toBe(202);
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload).toMatchObject({
    filename: "march.csv",
    counts: { total: 2, completed: 1, problems: 1, open: 0 },
  });
  expect((await app.intuit.invoices(ACME)).some(({ DocNumber }) => DocNumber === "00451")).toBe(true);
  const params = { upload_id: upload?.id ?? "" };
  const file = await browser.download(downloadProblemRows, { params, query });
  const [sheet] = readWorkbook(file).sheets;
  expect(sheet?.rows[0]?.cells.slice(-3)).toEqual(["Branch", "Row in march.csv", "Reason"]);
  expect(sheet?.rows[1]?.cells[0]).toBe("00452");
  expect(sheet?.rows[1]?.cells.at(-3)).toBe("=1+1");
  const pasted = {
    name: "pasted.csv",
    bytes: Buffer.from(text.replaceAll(",", "\t").replaceAll("0045", "0046")),
  };
  const check = await browser.call(checkInvoices, { query, file: pasted });
  expect(check.status).toBe(202);
  expect(check.json()).toMatchObject({ filename: "pasted.csv", counts: { total: 2 } });
  const renamed = await browser.call(postInvoices, {
    query,
    file: { name: "march.xlsx", bytes: Buffer.from(text) },
  });
  expect(renamed.status).toBe(400);
  expect(renamed.text).toContain("It is a CSV or text file.");
});

test("an upload whose problem rows were posted from another file names that file, also through two of them", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const query = { realm_id: ACME };
  await uploadRows(browser, ACME, [invoiceLine("FX-1"), invoiceLine("FX-2", { Qty: "x" })]);
  const [split] = (await settledUploads(browser, ACME)).uploads;
  const postFix = async (fixes: string, name: string, rows: InvoiceRow[]) => {
    const file = { name, bytes: await invoiceWorkbook(rows) };
    const sent = await browser.call(checkInvoices, { query: { ...query, fixes }, file });
    const { id } = sent.json() as { id: string };
    await postSeen(browser, ACME, await untilCheck(browser, ACME, { id, state: "checked" }));
    await untilCheck(browser, ACME, { id, state: "posted" });
    await settledUploads(browser, ACME);
    return id;
  };
  const first = await postFix(split?.id ?? "", "fix-split.xlsx", [
    invoiceLine("FX-2"),
    invoiceLine("FX-3", { Qty: "y" }),
  ]);
  await postFix(first, "fix-fix-split.xlsx", [invoiceLine("FX-3")]);
  const stray = { name: "stray.xlsx", bytes: await invoiceWorkbook([invoiceLine("FX-4")]) };
  const fixes = "0198c0de-0000-7000-8000-00000000abcd";
  expect((await browser.call(checkInvoices, { query: { ...query, fixes }, file: stray })).status).toBe(404);
  const { uploads } = await settledUploads(browser, ACME);
  const listed = uploads.map(({ fixes: all }) => all.map(({ filename, posted }) => `${posted} ${filename}`));
  expect(listed).toEqual([[], ["1 fix-fix-split.xlsx"], ["1 fix-split.xlsx", "1 fix-fix-split.xlsx"]]);
});
