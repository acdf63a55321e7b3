import { problemText } from "#features/invoices/results/sentences-problems.ts";
import { XLSX_MEDIA_TYPE } from "#features/sheets/contract.ts";
import { read } from "@e965/xlsx";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import { downloadTemplate, postInvoices } from "#features/invoices/contract.ts";
import { ACME as LISTS } from "#features/invoices/fixtures/plan-rows.ts";
import { run as planWorkbook } from "#features/invoices/plan/plan-workbook.ts";
import type { BooksLists } from "#features/books/reading.ts";
import { MAX_NAMES, offeredLists } from "#features/invoices/template/rules-lists.ts";
import { LISTS_NAME, VERSION_NAME } from "#features/sheets/write-template.ts";
import { run } from "#features/invoices/template/build-template.ts";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { writeWorkbook } from "#formats/xlsx/write-workbook.ts";
import { ACME } from "../../../../test/support/intuit.ts";
import { startApp } from "../../../../test/support/start-app.ts";
import { settledUploads } from "../../../../test/support/uploads.ts";

const HEADERS = ["Invoice No", "Customer", "Invoice Date", "Item", "Amount"].map((header) => ({ header }));
/** The template of Acme Tools as it is made on a day. */
const fetchTemplate = (lists: BooksLists) =>
  run(new Uint8Array(), { company: lists.companyName, day: "2026-11-20", lists: offeredLists(lists) });

const ROW = ["T-1", "Beta LLC", "2026-03-01", "Freight", 10];

/** Remarks on the template of a workbook that carries the given names. */
async function remarks(names: Record<string, string>, lists: BooksLists = LISTS): Promise<string[]> {
  const bytes = await writeWorkbook([{ name: "Invoices", columns: HEADERS, rows: [ROW] }], names);
  const { notes, heads } = planWorkbook(bytes, lists);
  expect(heads[0]?.isGood).toBe(true);
  return notes.filter(({ code }) => code.startsWith("template_")).map((each) => problemText(each));
}

test("drop-downs offer active entries by their full names, and only items that can be sold", () => {
  expect(offeredLists(LISTS).map(({ title, names }) => [title, names])).toEqual([
    ["Customers", ["Ann’s Café", "Beta LLC", "Beta LLC:East", "Gamma Inc:East", "Maple Ltd"]],
    ["Items", ["Freight", "Parts:Bolt", "Widget 9"]],
    ["Terms", ["Net 30"]],
    ["Classes", ["Retail"]],
    ["Locations", ["Austin"]],
  ]);
  expect(offeredLists({ ...LISTS, classes: [], departments: [] }).map(({ title }) => title)).not.toContain(
    "Classes",
  );
});

test("a company's template carries its lists on a hidden sheet, named and used by validations", async () => {
  const bytes = await fetchTemplate(LISTS);
  const book = read(bytes);
  expect(book.Workbook?.Sheets?.map((sheet) => sheet.Hidden)).toEqual([0, 0, 2]);
  expect(book.Sheets["Lists"]?.["B2"]?.v).toBe("Ann’s Café");
  expect(Object.fromEntries(readWorkbook(bytes).names)).toMatchObject({
    List_Customers: "Lists!$B$2:$B$6",
    List_Items: "Lists!$C$2:$C$4",
    [VERSION_NAME]: '"2"',
    [LISTS_NAME]: expect.stringMatching(/^"2026-11-20 [0-9a-f]{12}"$/),
  });
  const { sheets } = await readXlsx(bytes);
  const lists = sheets[0]?.dataValidations?.filter(({ type }) => type === "list") ?? [];
  expect(lists).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ formula1: "List_Customers", range: "C2:C30001", errorStyle: "warning" }),
      expect.objectContaining({ formula1: "List_Items" }),
      expect.objectContaining({ formula1: "List_Terms" }),
    ]),
  );
});

test("10,000 names in each list make a template of under 2 MB, and any more are cut", async () => {
  const many = Array.from({ length: 12_000 }, (_, index) => ({
    id: String(index),
    name: `Customer of the north ${index}`,
    fullName: `Customer of the north ${index}`,
    active: true,
  }));
  const lists = { ...LISTS, customers: many, items: many.map((item) => ({ ...item, type: "Service" })) };
  expect(offeredLists(lists)[0]?.names).toHaveLength(MAX_NAMES);
  expect((await fetchTemplate(lists)).length).toBeLessThan(2_000_000);
});

test("an older template or older lists are reported as a remark, today's are not, and nothing is blocked by it", async () => {
  expect(await remarks({})).toEqual([]);
  expect(await remarks({ [VERSION_NAME]: '"2"' })).toEqual([]);
  expect(await remarks({ [VERSION_NAME]: '"1"' })).toEqual([
    "This file was made with version 1 of the template; the current one is 2. We read everything in it. Download the template again for your next file.",
  ]);
  const made = readWorkbook(await fetchTemplate(LISTS)).names;
  const today = { [VERSION_NAME]: '"2"', [LISTS_NAME]: made.get(LISTS_NAME) ?? "" };
  expect(await remarks(today)).toEqual([]);
  expect(await remarks(today, { ...LISTS, terms: [] })).toEqual([
    "The drop-downs of this template are from November 20, 2026, and the lists of Acme Tools have changed since. We check everything against today's lists. Download the template again to choose from them.",
  ]);
});

test("UP-15 the template is at its own address for everyone: headers, two sample rows, instructions and a version", async () => {
  const app = await startApp({ worker: false });
  const reply = await fetch(new URL("/templates/invoice-upload.xlsx", app.url));
  expect([reply.status, reply.headers.get("content-type"), reply.headers.get("cache-control")]).toEqual([
    200,
    XLSX_MEDIA_TYPE,
    "public, max-age=3600",
  ]);
  const bytes = new Uint8Array(await reply.arrayBuffer());
  const { sheets } = readWorkbook(bytes);
  const [invoices, instructions] = sheets;
  expect([invoices?.name, instructions?.name]).toEqual(["Invoices", "Read me"]);
  expect(invoices?.rows.map(({ cells }) => cells[0])).toEqual(["Invoice No", "SAMPLE-1", "SAMPLE-1"]);
  expect(instructions?.rows.length).toBeGreaterThan(invoices?.rows[0]?.cells.length ?? Infinity);
  expect(readWorkbook(bytes).names.get(VERSION_NAME)).toBe('"2"');
});

test("the template for everyone is made once: repeated requests from strangers cost next to nothing", async () => {
  const app = await startApp({ worker: false });
  const download = async () =>
    (await fetch(new URL("/templates/invoice-upload.xlsx", app.url))).arrayBuffer();
  const first = await download();
  const before = process.cpuUsage();
  for (let time = 0; time < 60; time += 1) expect((await download()).byteLength).toBe(first.byteLength);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1);
});

test("a member downloads the company's template, and uploads it with a row filled in", async () => {
  const app = await startApp();
  const browser = await app.owner(ACME);
  const query = { realm_id: ACME };
  const reply = await browser.call(downloadTemplate, { query });
  expect(reply.headers.get("content-disposition")).toMatch(
    /^attachment; filename="invoice-upload\.xlsx"; filename\*=UTF-8''/,
  );
  const bytes = await browser.download(downloadTemplate, { query });
  const names = read(bytes).Sheets["Lists"];
  expect(Object.values(names ?? {}).some((cell) => (cell as { v?: unknown }).v === "Cool Cars")).toBe(true);
  await browser.call(postInvoices, { query, file: { name: "template.xlsx", bytes } });
  const [upload] = (await settledUploads(browser, ACME)).uploads;
  expect(upload?.results).toEqual([expect.objectContaining({ status: 8 })]);
});
