import { read, utils } from "@e965/xlsx";
import { expect, test } from "vitest";
import { readWorkbook } from "#formats/xlsx/read-workbook.ts";
import { ACME, planInvoices, refusalText } from "#features/invoices/fixtures/plan-rows.ts";
import { layouts } from "#features/invoices/workbook/layouts/layouts.ts";
import { fieldHeader, findTable, invoiceSheet } from "#features/invoices/workbook/rules-sheet.ts";
import { readHeaders } from "#formats/table/headers.ts";
import { writeTemplate } from "#features/sheets/reading.ts";

test("UP-15 the template has the invoices, an explanation of every column, and a hidden version", async () => {
  const book = read(await writeTemplate(invoiceSheet), { sheetStubs: false });
  expect(book.SheetNames).toEqual(["Invoices", "Read me", "Lists"]);
  expect(book.Workbook?.Sheets?.map((sheet) => sheet.Hidden)).toEqual([0, 0, 2]);
  expect(book.Sheets["Lists"]?.["A2"]?.v).toBe(invoiceSheet.template.version);
  const headers = utils.sheet_to_json<string[]>(book.Sheets["Invoices"]!, {
    header: 1,
    blankrows: false,
  })[0]!;
  const explained = utils.sheet_to_json<string[]>(book.Sheets["Read me"]!, { header: 1 });
  const columns = explained.filter(([header]) => headers.includes(header ?? ""));
  expect(columns.map(([header]) => header)).toEqual(headers);
  // Each says something of its own, and nothing that the review contradicts: it offers to create customers.
  const sentences = columns.map(([, , explanation]) => explanation ?? "");
  expect(sentences.filter((each, index) => each === "" || sentences.indexOf(each) !== index)).toEqual([]);
  expect(sentences.filter((each) => each.includes("never created"))).toEqual([]);
  // So do the exports that need no template.
  const exports = explained.find(([, , text]) => text?.startsWith("Exports that you can upload"))?.[2] ?? "";
  expect(layouts.filter(({ title }) => !exports.includes(title))).toEqual([]);
});

test("the template's own headers are all recognized, each once, and its sample rows are skipped", async () => {
  const sheet = readWorkbook(await writeTemplate(invoiceSheet)).sheets[0]!;
  const headers = readHeaders(invoiceSheet, sheet.rows[0]!);
  expect(headers).toMatchObject({ doubles: [], missing: [], notes: [] });
  expect(
    headers.columns
      .map(({ field, header }) => [fieldHeader(field), header])
      .filter(([ours, theirs]) => ours !== theirs),
  ).toEqual([]);
  expect(sheet.rows).toHaveLength(3);
  expect(refusalText(() => findTable({ sheets: [sheet], date1904: false, names: new Map() }))).toContain(
    "only the sample rows of the template",
  );
});

test("the sample rows are one good invoice where customer and items exist", async () => {
  const workbook = readWorkbook(await writeTemplate(invoiceSheet));
  for (const row of workbook.sheets[0]!.rows.slice(1)) row.cells[2] = "Beta LLC";
  const items = [
    ...ACME.items,
    { id: "77", name: "Widget", fullName: "Widget", type: "Service", active: true },
  ];
  const [invoice] = planInvoices(findTable(workbook), { ...ACME, items }).invoices;
  expect(invoice).toMatchObject({ docNumber: "SAMPLE-1", rows: [2, 3], amountCents: 3950, problems: [] });
});

test("the same template gives the same bytes, under 50 kB", async () => {
  const [first, second] = [await writeTemplate(invoiceSheet), await writeTemplate(invoiceSheet)];
  expect(Buffer.compare(first, second)).toBe(0);
  expect(first.length).toBeLessThan(50_000);
});
