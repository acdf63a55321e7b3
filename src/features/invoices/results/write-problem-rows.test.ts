import { read } from "@e965/xlsx";
import { expect, test } from "vitest";
import { checkInvoices } from "#features/invoices/check/contract.ts";
import { downloadProblemRows, postInvoices } from "#features/invoices/contract.ts";
import { buildXlsx } from "#formats/xlsx/fixtures/build-xlsx.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";

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

test("UP-42 the corrected workbook is the user's own, has only complete unposted invoices, and posts only those", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const query = { realm_id: ACME };
  const before = (await app.intuit.invoices(ACME)).length;
  await browser.call(postInvoices, { query, file: { name: "march.xlsx", bytes: source() } });
  const [first] = (await settledUploads(browser, ACME)).uploads;
  expect(first?.counts).toEqual({ total: 5, completed: 2, problems: 3, open: 0 });
  const params = { upload_id: first?.id ?? "" };
  const file = await browser.download(downloadProblemRows, { params, query });
  const [cover, lines] = readWorkbook(file).sheets;
  expect(cover?.rows).toEqual([{ number: 1, hidden: false, cells: ["March"] }]);
  expect(lines?.rows.map(({ number, cells }) => [number, cells[0]])).toEqual([
    [1, "Our invoices"],
    [2, "Invoice No"],
    [3, "W-2"],
    [4, "W-2"],
    [5, "W-4"],
  ]);
  expect(lines?.rows[1]?.cells[8]).toBe("Reason");
  expect(lines?.rows[2]?.cells[8]).toMatch(/WIDGET-9/);
  expect(lines?.rows[3]?.cells[8]).toMatch(/^Not posted: invoice W-2 is posted whole or not at all/);
  expect(read(file, { cellNF: true }).Sheets["Lines"]?.["C3"]).toMatchObject({ t: "n", z: "dd\\.mm\\.yyyy" });

  const corrected = Buffer.from(file);
  const again = await browser.call(postInvoices, { query, file: { name: "again.xlsx", bytes: corrected } });
  expect(again.status).toBe(202);
  const [second] = (await settledUploads(browser, ACME)).uploads;
  expect(second?.counts).toEqual({ total: 3, completed: 0, problems: 3, open: 0 });
  const messages = second?.results.map(({ message }) => message) ?? [];
  expect(messages.some((message) => message.includes("Reason"))).toBe(false);
  expect(messages.some((message) => message.includes('"Branch" is not known'))).toBe(true);

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
  expect(sheet?.rows[0]?.cells.slice(-2)).toEqual(["Branch", "Reason"]);
  expect(sheet?.rows[1]?.cells[0]).toBe("00452");
  expect(sheet?.rows[1]?.cells.at(-2)).toBe("=1+1");
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
