import { expect, test } from "vitest";
import { chooseColumns, listColumnChoices, readColumns } from "#features/invoices/workbook/contract.ts";
import { postInvoices } from "#features/invoices/contract.ts";
import type { SeenColumns } from "#features/sheets/contract.ts";
import { buildXlsx, worksheet } from "../../../formats/xlsx/fixtures/build-xlsx.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";

const query = { realm_id: ACME };
type Browser = Awaited<ReturnType<Awaited<ReturnType<typeof startApp>>["owner"]>>;

const csv = (name: string, ...lines: string[]) => ({ name, bytes: Buffer.from(lines.join("\n")) });

const send = (browser: Browser, file: ReturnType<typeof csv>) => browser.call(postInvoices, { query, file });

const seenIn = async (browser: Browser, file: ReturnType<typeof csv>) =>
  (await browser.call(readColumns, { query, file })).json() as SeenColumns;

/** Answers all questions about rows of a file. */
async function answer(browser: Browser, file: ReturnType<typeof csv>, isBilled: boolean) {
  const { row_marks: marks } = await seenIn(browser, file);
  const rowMarks = marks.flatMap(({ of, files_like, values }) =>
    values.flatMap(({ value, guess }) =>
      guess === false ? [{ of, files_like, value, is_billed: isBilled }] : [],
    ),
  );
  await browser.call(chooseColumns, { query, json: { columns: [], row_marks: rowMarks } });
}

const HOURS = "Invoice No,Date,Client,Item,Hours,Rate,Status";
const ORDERS = "Invoice No,Date,Client,Item,Amount,Status,Warehouse";

test("SH-02 an answer about a value counts for files of the same columns in any order, and for no other ones", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const hours = csv("hours.csv", HOURS, "LA-1,2026-11-20,Cool Cars,Consulting,1,60,Pending");
  const orders = csv("orders.csv", ORDERS, "LB-1,2026-11-20,Cool Cars,Claw Hammer,60,Pending,North");
  await answer(browser, hours, true);
  expect((await send(browser, hours)).status).toBe(202);
  const turned = csv(
    "turned.csv",
    "Status,Rate,Hours,Item,Client,Date,Invoice No",
    "Pending,60,1,Consulting,Cool Cars,2026-11-20,LA-2",
  );
  expect((await send(browser, turned)).status).toBe(202);
  const refused = await send(browser, orders);
  expect([refused.status, refused.json()]).toEqual([
    400,
    expect.objectContaining({ detail: expect.stringContaining('"Status" in F1 says Pending') as string }),
  ]);
  await answer(browser, orders, false);
  const pending = { header: "Status", value: "Pending" };
  // Each layout has its own answer, and says which files it is of.
  expect((await browser.call(listColumnChoices, { query })).json()).toMatchObject({
    row_marks: [
      {
        ...pending,
        is_billed: false,
        files_like: "Invoice No, Date, Client, Item, Amount, Status, Warehouse",
      },
      { ...pending, is_billed: true, files_like: "Invoice No, Date, Client, Item, Hours, Rate, Status" },
    ],
  });
});

test("SH-02 an answer is changed as it was given, and holds for the next file", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const file = (number: string) =>
    csv("hours.csv", HOURS, `${number},2026-11-20,Cool Cars,Consulting,1,60,Pending`);
  await answer(browser, file("LC-1"), false);
  expect((await send(browser, file("LC-1"))).json()).toMatchObject({
    detail: expect.stringContaining("left out") as string,
  });
  await answer(browser, file("LC-1"), true);
  expect((await send(browser, file("LC-1"))).status).toBe(202);
});

test("SH-02 SH-03 ignoring a column of the sheet isn't a new layout: its hidden rows are not asked about again", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const rows = [
    ["Invoice No", "Customer", "Invoice Date", "Item", "Amount", "Tip"],
    ["LD-1", "Cool Cars", "2026-11-20", "Claw Hammer", "10", "1"],
    ["LD-2", "Cool Cars", "2026-11-20", "Claw Hammer", "20", "2"],
  ];
  const xml = rows.map((cells, at) => {
    const texts = cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`);
    return `<row r="${at + 1}"${at === 2 ? ' hidden="1"' : ""}>${texts.join("")}</row>`;
  });
  const file = {
    name: "hidden.xlsx",
    bytes: Buffer.from(buildXlsx({ sheets: [{ name: "Sheet1", sheetXml: worksheet(xml.join("")) }] })),
  };
  await answer(browser, file, false);
  const json = { columns: [{ header: "Tip", field: "ignore" }] };
  expect((await browser.call(chooseColumns, { query, json })).status).toBe(200);
  expect((await send(browser, file)).status).toBe(202);
});
